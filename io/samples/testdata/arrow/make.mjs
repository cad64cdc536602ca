// Writes the tables beside it, as polars and Arrow's JavaScript library write Arrow files:
//   npm install apache-arrow@21 nodejs-polars@0.26.1 && node make.mjs
// Row i of 60 has the name g<i mod 7>_<i> and the value √i. polars' LZ4 frames have a checksum
// of each block; apache-arrow writes names as a dictionary and, into a file, the schema into
// its footer alone.
import { tableFromArrays, tableToIPC } from "apache-arrow";
import pl from "nodejs-polars";
import { writeFileSync } from "node:fs";

const rows = [...Array(60).keys()];
const name = rows.map((i) => `g${i % 7}_${i}`);
const value = Float64Array.from(rows, Math.sqrt);

const table = tableFromArrays({ name, value });
writeFileSync("js.feather", tableToIPC(table, "file"));
writeFileSync("js.arrows", tableToIPC(table, "stream"));

const frame = pl.DataFrame({ name, value: [...value] });
frame.writeIPC("polars-lz4.arrow", { compression: "lz4" });
frame.writeIPC("polars-zstd.ipc", { compression: "zstd" });
frame.writeIPCStream("polars-lz4.arrows", { compression: "lz4" });
