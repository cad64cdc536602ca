// Package userinput defines the error of a wrong request, which ends a command with exit code 2.
package userinput

import "fmt"

// An Error is an error in the user's request, such as an unknown name, a setting out of range, or a dataset that does
// not exist. It is never an error in the content of a data file.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error from a format and its arguments, like fmt.Errorf.
func Errorf(format string, args ...any) error {
	return &Error{fmt.Errorf(format, args...)}
}
