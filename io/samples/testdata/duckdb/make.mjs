// Makes the datasets beside it: npm install @duckdb/node-api && node make.mjs
// They were made by DuckDB 1.5.6.
import { mkdirSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const copy = (query, path, options = '') =>
  connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet${options})`);
for (const name of ['wide', 'list']) mkdirSync(`${name}/trial-00`, { recursive: true });

const split = `CASE WHEN i % 5 = 3 THEN 'valid' WHEN i % 5 = 4 THEN 'test' ELSE 'train' END`;

// A data frame with DECIMAL, INTEGER and DOUBLE columns, in another order than the features.
await copy(`SELECT * FROM (VALUES ('gene A', 0.5, [0, 2], 1, 2), ('gene B', 0.0, [2], 1, 3),
  ('gene C', -1.25, []::INTEGER[], 2, 2)) t(name, truth, "group", row, col)`, 'wide/features.parquet');
await copy(`SELECT * FROM (VALUES ('gene A', 'gene B', 1.5), ('gene C', 'gene B', 0.25)) t(source, target, cost)`,
  'wide/graph.parquet', ', COMPRESSION zstd');
await copy(`SELECT CASE WHEN i % 2 = 0 THEN 1 ELSE -1 END AS y, ${split} AS split, (i * 0.25)::DECIMAL(9,2) AS "gene A",
  i::INTEGER AS "gene C", sqrt(i) AS "gene B" FROM range(20) t(i)`, 'wide/trial-00/samples.parquet');

// A list column. DuckDB's second version has BYTE_STREAM_SPLIT and delta encodings, and
// decimals of 16 bytes.
const v2 = ', PARQUET_VERSION V2';
await copy(`SELECT * FROM (VALUES ('gene A', 1.0), ('gene B', 0.0), ('gene C', 12345678901234567890.5)) t(name, truth)`,
  'list/features.parquet', v2);
await copy(`SELECT * FROM (VALUES (0, 1), (2, 1)) t(source, target)`, 'list/graph.parquet', v2);
await copy(`SELECT i * 1.0 AS y, (${split})::ENUM('train', 'valid', 'test') AS split, [i * 0.25, sqrt(i), i]::DOUBLE[] AS x
  FROM range(20) t(i)`, 'list/trial-00/samples.parquet', v2);

// A compression that is not read here, and refused in clear words.
await copy('SELECT 1.5::DOUBLE AS cost', 'lz4.parquet', ', COMPRESSION lz4_raw');
