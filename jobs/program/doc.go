// Package program runs any program as a method: it starts it, asks it for cells, and checks its answers. The protocol
// is in docs/programs.md. A program that ends, hangs, floods its stdout, answers nonsense or takes too much memory is
// ended with its process group; what is to become of the cell is for the caller.
package program
