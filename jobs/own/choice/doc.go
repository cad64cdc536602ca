// Package choice has what the choice of `gdrun tune` (package tuning) rests on.
//
//   - Grid holds the settings with which a method is tried, and is extended at its ends (grid.go).
//   - Stability tells how alike the selections of the splits are (stability.go).
//   - Network tells what GraphDA can select from, holds the comparison of the given network with networks of permuted
//     names, and puts it in words (network.go).
//
// docs/choice.md has the rule and what was measured.
package choice
