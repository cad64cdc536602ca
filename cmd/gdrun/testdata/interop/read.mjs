// Reads files with all programs that read their kind, and prints what each has read, as JSON:
// node read.mjs FILE... A file that is not read is an error with the program's words.
import { readFileSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import polars from 'nodejs-polars';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const duckdb = (from) => async (path) =>
  (await connection.runAndReadAll(`SELECT * FROM ${from}('${path}')`)).getRowObjectsJson();
const arrow = (path) => {
  const table = tableFromIPC(readFileSync(path));
  const names = table.schema.fields.map((f) => f.name);
  return Array.from({ length: table.numRows }, (_, i) =>
    Object.fromEntries(names.map((name) => [name, table.getChild(name).get(i)])));
};
const readers = {
  parquet: {
    DuckDB: duckdb('read_parquet'),
    polars: (path) => polars.readParquet(path).toRecords(),
    hyparquet: async (path) => parquetReadObjects({ file: await asyncBufferFromFile(path), compressors }),
  },
  arrow: { polars: (path) => polars.readIPC(readFileSync(path)).toRecords(), 'Arrow JS': arrow },
  part: { polars: (path) => polars.readIPCStream(readFileSync(path)).toRecords(), 'Arrow JS': arrow },
  csv: { DuckDB: duckdb('read_csv'), polars: (path) => polars.readCSV(path, { inferSchemaLength: null }).toRecords() },
};

// plain makes values of JSON: bigints are numbers, vectors and series lists.
const plain = (v) => {
  if (v === undefined || v === null) return null;
  if (typeof v === 'bigint') return Number(v);
  if (v instanceof Date) return v.getTime();
  if (typeof v === 'object') return Array.from(v.toArray ? v.toArray() : v, plain);
  return v;
};
const out = {};
for (const path of process.argv.slice(2)) {
  for (const [reader, read] of Object.entries(readers[path.split('.').pop()])) {
    try {
      const rows = await read(path);
      for (const row of rows) for (const name in row) row[name] = plain(row[name]);
      (out[path] ??= {})[reader] = { rows };
    } catch (e) {
      (out[path] ??= {})[reader] = { error: String(e.message ?? e).split('\n')[0] };
    }
  }
}
process.stdout.write(JSON.stringify(out));
