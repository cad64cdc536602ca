// Package arrowio makes Arrow IPC and Parquet files safe to read and simple to write. It checks the footer and the
// pages of a Parquet file, and every message of an Arrow file, before the Arrow library parses them.
//
// The typical steps are:
//
//  1. For Arrow IPC: IPCFile, IPCStream or IPCPart returns a reader of checked messages. Bounded returns an allocator
//     that refuses to allocate more memory than a file of this size can need.
//  2. For Parquet: CheckFooter checks the shape of the footer, and a Pager reads the pages of a column.
//  3. WriteIPC writes an Arrow file. WriteParquet writes a sealed Parquet file of one row group; NewParquetWriter and
//     WriteRowGroup write many groups.
//
// An Arrow file consists of magic bytes and padding, a stream without an end mark, the footer, the footer's length in 4
// bytes, and the magic bytes again. This package reads the stream inside the file. It copies no message bodies, and
// detects a gap between two messages. It releases dictionaries, which the library's FileReader never does. If only the
// footer has the schema, this package inserts the schema as the first message.
//
// The library and this package may panic on damaged data. If the checksum of a file was not verified, the caller must
// recover from panics.
//
// Package samples tests bad files in refuse_test.go and damage_test.go.
package arrowio
