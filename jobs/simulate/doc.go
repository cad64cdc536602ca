// Package simulate draws the datasets of the paper and writes them as dataset directories. Two of the three
// kinds need raw files. `gdrun simulate` uses this package. Example makes the tables of `gdrun example`. The
// kinds of datasets are:
//
//	Benchmark   graph01-mu0.3        a raised subgraph of a grid; needs no files
//	MNIST       mnist-0-normalized   regression on the pixels of a digit; from IDX files
//	KEGG        kegg-1               a shifted pathway among genes; from a network and expressions
//
// The typical steps are:
//
//  1. Named returns the Source of a named dataset (source.go). For other settings, change fields of DefaultBenchmark,
//     DefaultMNIST or DefaultKEGG.
//  2. Source.Validate checks the settings without opening a file.
//  3. MNIST and KEGG read raw files, which this project does not include (idx.go, keggfiles.go). MNISTFiles and KEGGDir
//     find the files in the folder Options.Raw (raw.go).
//  4. Source.Write makes a draft, and draft.write draws and writes each trial (write.go).
//
// A Source is a dataset that can be drawn, and Options are its settings that are not in its name. A kind is a family of
// datasets with one generator, and a draft is a dataset ready to be drawn.
//
// # What is promised
//
//   - A trial does not depend on other trials: its random numbers come from a hash of the seed, the dataset's name and
//     the trial. Unmeasured genes have random values that depend only on the seed.
//   - If a generator's output changes, it gets a new version. Plans refuse data of an earlier version (Current).
//   - Write replaces files of the same dataset, and other files only with force. If the directory has more trials than
//     the dataset, it returns an error.
//
// # A new kind
//
// Write a file with a Source and its kind, and add a line to kinds (source.go). TestKinds tests all kinds.
//
// benchmark_test.go, mnist_test.go and kegg_test.go test the draws, also against fixed values. Package simulatetest
// makes their raw files. idx_test.go tests the reader of IDX files. source_test.go tests names and kinds.
package simulate
