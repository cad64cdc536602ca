// Writes one table with all programs, in all of their formats and compressions that we may meet, and prints
// a list of the files as JSON: node write.mjs FOLDER. Its rows, of which each hundred is the same, are known to TestInterop.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import * as arrow from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import polars from 'nodejs-polars';

const folder = process.argv[2];
const files = [];
const put = async (writer, format, compression, columns, write) => {
  const path = join(folder, `${writer} ${format} ${compression}`.replace(/\W+/g, '-') + '.' + format.split(' ').pop());
  try {
    await write(path);
    files.push({ writer, format, compression, path, columns });
  } catch (e) {
    files.push({ writer, format, compression, path, error: String(e.message ?? e).split('\n')[0] });
  }
};
const count = 1000;
const column = (f) => Array.from({ length: count }, (_, i) => f(i % 100));
const values = {
  text: column((i) => `t ${i} ü`),
  category: column((i) => ['low', 'high'][i % 2]),
  boolean: column((i) => i % 2 === 0),
  optional: column((i) => (i === 3 ? null : i / 4)),
  float32: column((i) => i / 4), float64: column((i) => i / 4),
  int8: column((i) => i - 3), int16: column((i) => i - 3), int32: column((i) => i - 3), int64: column((i) => i - 3),
  uint8: column((i) => i), uint16: column((i) => i), uint32: column((i) => i), uint64: column((i) => i),
};

const connection = await (await DuckDBInstance.create(':memory:')).connect();
await connection.run(`CREATE TABLE t AS SELECT 't ' || i || ' ü' AS text,
  (CASE WHEN i % 2 = 0 THEN 'low' ELSE 'high' END)::ENUM('low', 'high') AS category, i % 2 = 0 AS boolean,
  CASE WHEN i <> 3 THEN i / 4 END AS optional, (i / 4)::DECIMAL(9, 2) AS decimal, (i / 4)::FLOAT AS float32,
  (i / 4)::DOUBLE AS float64, (i - 3)::TINYINT AS int8, (i - 3)::SMALLINT AS int16, (i - 3)::INTEGER AS int32,
  (i - 3)::BIGINT AS int64, i::UTINYINT AS uint8, i::USMALLINT AS uint16, i::UINTEGER AS uint32, i::UBIGINT AS uint64,
  [i / 4, i::DOUBLE] AS list FROM (SELECT range % 100 AS i FROM range(${count}))`);
for (const compression of ['uncompressed', 'snappy', 'gzip', 'zstd', 'lz4_raw', 'brotli']) {
  for (const version of ['V1', 'V2']) {
    await put('DuckDB', `${version} parquet`, compression, [...Object.keys(values), 'decimal', 'list'], (path) =>
      connection.run(`COPY t TO '${path}' (FORMAT parquet, COMPRESSION ${compression}, PARQUET_VERSION ${version})`));
  }
}
for (const compression of ['uncompressed', 'gzip']) {
  await put('DuckDB', 'csv', compression, [...Object.keys(values), 'decimal'], (path) =>
    connection.run(`COPY (SELECT * EXCLUDE list FROM t) TO '${path}' (FORMAT csv, COMPRESSION '${compression === 'gzip' ? 'gzip' : 'none'}')`));
}

const types = {
  text: polars.Utf8, category: polars.Categorical, boolean: polars.Bool, optional: polars.Float64,
  float32: polars.Float32, float64: polars.Float64, int8: polars.Int8, int16: polars.Int16, int32: polars.Int32,
  int64: polars.Int64, uint8: polars.UInt8, uint16: polars.UInt16, uint32: polars.UInt32, uint64: polars.UInt64,
};
const frame = polars.DataFrame(Object.fromEntries(Object.entries(values).map(([name, v]) =>
  [name, polars.Series(name, v).cast(types[name])])));
const withList = frame.withColumn(polars.Series('list', column((i) => [i / 4, i])));
for (const compression of ['uncompressed', 'snappy', 'gzip', 'zstd', 'lz4', 'brotli']) {
  await put('polars', 'parquet', compression, withList.columns, (path) => withList.writeParquet(path, { compression }));
}
for (const compression of ['uncompressed', 'lz4', 'zstd']) {
  await put('polars', 'file arrow', compression, withList.columns, (path) => withList.writeIPC(path, { compression }));
  await put('polars', 'stream arrows', compression, withList.columns, (path) => withList.writeIPCStream(path, { compression }));
}
await put('polars', 'csv', 'uncompressed', frame.columns, (path) => frame.writeCSV(path));

const hyparquet = {
  text: 'STRING', category: 'STRING', boolean: 'BOOLEAN', optional: 'DOUBLE', float32: 'FLOAT', float64: 'DOUBLE',
  int32: 'INT32', int64: 'INT64',
};
const data = Object.entries(hyparquet).map(([name, type]) =>
  ({ name, type, data: type === 'INT64' ? values[name].map(BigInt) : values[name] }));
for (const codec of ['UNCOMPRESSED', 'SNAPPY']) {
  await put('hyparquet', 'parquet', codec.toLowerCase(), Object.keys(hyparquet), (path) =>
    writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData: data, codec }))));
}

const { vectorFromArray } = arrow;
const vectors = {
  text: vectorFromArray(values.text, new arrow.Utf8()),
  category: vectorFromArray(values.category, new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32())),
  boolean: vectorFromArray(values.boolean, new arrow.Bool()),
  optional: vectorFromArray(values.optional, new arrow.Float64()),
  float32: vectorFromArray(values.float32, new arrow.Float32()), float64: vectorFromArray(values.float64, new arrow.Float64()),
  list: vectorFromArray(column((i) => [i / 4, i]), new arrow.List(new arrow.Field('item', new arrow.Float64()))),
};
for (const sign of ['Int', 'Uint']) {
  for (const bits of [8, 16, 32, 64]) {
    const name = `${sign.toLowerCase()}${bits}`;
    vectors[name] = vectorFromArray(bits === 64 ? values[name].map(BigInt) : values[name], new arrow[sign + bits]());
  }
}
const table = new arrow.Table(vectors);
await put('Arrow JS', 'file arrow', 'uncompressed', Object.keys(vectors), (path) => writeFileSync(path, arrow.tableToIPC(table, 'file')));
await put('Arrow JS', 'stream arrows', 'uncompressed', Object.keys(vectors), (path) => writeFileSync(path, arrow.tableToIPC(table, 'stream')));
process.stdout.write(JSON.stringify(files));
