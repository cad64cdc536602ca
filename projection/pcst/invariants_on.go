//go:build invariants

package pcst

const invariants = true
