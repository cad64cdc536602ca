// Package arrowio makes Arrow IPC and Parquet files safe to read and simple to write. It checks the footer and the
// pages of a Parquet file, and every message of an Arrow file, before the Arrow library parses them.
//
// The typical steps are:
//
//  1. For Arrow IPC: IPCFile, IPCStream or IPCPart returns a reader of checked messages, and Bounded an allocator that
//     refuses more memory than a file of this size can need.
//  2. For Parquet: CheckFooter checks the shape of the footer, and a Pager reads the pages of a column.
//  3. WriteIPC writes an Arrow file. WriteParquet writes a sealed Parquet file of one row group; NewParquetWriter and
//     WriteRowGroup write many groups.
//
// An Arrow file is magic and padding, a stream without its end mark, the footer, the footer's length (4 bytes) and the
// magic again. This package reads it as a stream. Then the bodies need no copying, nothing between two messages can be
// missing, and dictionaries are released, which the library's FileReader never does. Some writers put the schema into
// the footer only; the messages then begin with that schema.
//
// Damaged data may make the library panic, and this package too where it follows the offsets of damaged metadata. The
// reader of a file without a verified checksum must recover.
//
// Packages columnar and results read with this package. The tests of bad files are in package samples: refuse_test.go
// and damage_test.go.
package arrowio
