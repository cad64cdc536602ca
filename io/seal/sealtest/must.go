package sealtest

import "testing"

// Must ends the test on an error.
func Must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Must1 returns v, and panics on an error.
func Must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
