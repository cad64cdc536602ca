// Package coding decides which of a label's two values is the class +1, or means an event. The user may name
// this value. Otherwise the two values must be a well-known pair, such as "no" and "yes". It also guesses from
// names and values which columns have ids or two classes, whether the user swapped two columns, and whether a
// table must be transposed. It reads groups of features for importing and explaining.
//
// The tests are in jobs/own/importing, because they start from files.
package coding
