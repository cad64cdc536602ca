//go:build invariants

package pcst

// invariants switches on the checks in solver_test.go.
const invariants = true
