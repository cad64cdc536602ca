// Package arrowfile has what Arrow's library lacks for reading IPC files and streams in memory
// and for writing files from start to end: the frame of a file, messages that are checked before
// memory is taken for them, a bound on that memory, and a writer that knows its position.
//
// A file is magic and padding, a stream without the mark of its end, the footer, its length
// (4 bytes) and the magic again. Read as a stream, its bodies need no copying, nothing between
// two messages can go missing, and dictionaries are released, which the library's FileReader
// never does. Some writers leave the schema to the footer; Messages then begin with that.
//
// Damage may make the library panic, as this package does where it follows the offsets of
// damaged metadata: who reads a file that is not verified recovers.
package arrowfile
