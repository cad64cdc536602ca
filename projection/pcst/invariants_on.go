//go:build invariants

package pcst

// invariants switches on the checks in check_test.go.
const invariants = true
