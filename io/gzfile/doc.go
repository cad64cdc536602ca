// Package gzfile opens files that may be compressed with gzip. Their content tells, not
// their name: a file that begins with gzip's magic number is read through gzip. No format
// that is read with this package begins so by itself.
package gzfile
