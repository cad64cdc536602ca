//go:build invariants

package pcst

// invariants switches the checks in check.go on.
const invariants = true
