// Package choice has parts of the rule by which `gdrun tune` (package tuning) chooses a setting. A Grid holds the
// settings to try for a method (grid.go). Stability measures how alike the selections of the splits are (stability.go).
// A Network compares the given network with networks whose names are permuted (network.go).
//
// docs/choice.md has the rule and the measurements.
package choice
