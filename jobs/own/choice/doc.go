// Package choice has the parts of the rule by which `gdrun tune` (package tuning) chooses a setting.
//
//   - Grid holds the settings to try for a method. If a value at an end is best, the grid is extended (grid.go).
//   - Stability measures how alike the selections of the splits are (stability.go).
//   - Network tells which features GraphDA can select from. It compares the given network with networks with permuted
//     names, and describes the result (network.go).
//
// docs/choice.md has the rule and the measurements.
package choice
