// Package coding says which of the words that a file has for a label is the class +1, or an event. A word that is asked
// for is; else one is that plainly says so beside the other, such as 1 beside 0 and yes beside no.
//
// The tests begin with files, in jobs/own/importing.
package coding
