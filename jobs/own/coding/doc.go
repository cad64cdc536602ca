// Package coding decides which of a label's two values is the class +1, or means an event. If the user names a value,
// it takes that value. Otherwise it takes the plainly positive one of two well-known values, such as "yes" if the
// values are "no" and "yes". It also guesses by names and values which columns have ids or two classes, whether columns
// were swapped, and whether a table must be transposed.
//
// The tests are in jobs/own/importing, because they start from files.
package coding
