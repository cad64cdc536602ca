//go:build !invariants

package pcst

// invariants switches the checks in check.go on. Build with the tag invariants for that.
const invariants = false
