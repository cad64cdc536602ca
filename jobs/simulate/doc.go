// Package simulate draws the datasets of the paper and writes them as dataset directories:
//
//	Benchmark   graph01-mu0.3        a raised subgraph of a grid; drawn from nothing
//	MNIST       mnist-0-normalized   regression on the pixels of a digit; from IDX files
//	KEGG        kegg-1               a shifted pathway among genes; from a network and expressions
//
// Named finds the generator by a dataset's name alone. The raw files of MNIST and KEGG are
// no part of this project; Options.Raw names the folder that has them.
//
// # Random numbers
//
// Every trial's random numbers come from a hash of the seed, the dataset's name and the
// trial, so that any trial can be drawn alone. What all trials have in common, the values in
// place of genes that were not measured, has numbers of its own, from the seed and what they
// are for. A generator that comes to draw otherwise gets a new version, and plans refuse
// what an earlier one drew (Current).
//
// # A new source
//
// A new kind of datasets is a file with a Source and its kind, and a line in kinds. Write
// makes a draft, and the draft's write does the rest: directories, files, splits, metadata.
// TestKinds runs over all of them.
package simulate
