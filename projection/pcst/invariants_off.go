//go:build !invariants

package pcst

// invariants switches on the checks in solver_test.go. The build tag invariants sets it.
const invariants = false
