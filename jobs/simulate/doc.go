// Package simulate draws the datasets of the paper and writes them as dataset directories. Two of the three kinds
// need raw files, such as the images of MNIST. `gdrun simulate` uses this package. Example makes the tables of
// `gdrun example`. The kinds are:
//
//	Benchmark   graph01-mu0.3        a raised subgraph of a grid; needs no files
//	MNIST       mnist-0-normalized   regression on the pixels of a digit; from IDX files
//	KEGG        kegg-1               a shifted pathway among genes; from a network and expressions
//
// The typical steps are:
//
//  1. Named finds the Source of a dataset by its name, such as graph01-mu0.3 (source.go). Or the caller starts
//     from DefaultBenchmark, DefaultMNIST or DefaultKEGG and changes fields.
//  2. Source.Validate checks the settings without opening a file.
//  3. MNIST and KEGG read raw files, which this project does not include (idx.go, keggfiles.go). Options.Raw names the
//     folder of raw files, and MNISTFiles and KEGGDir find the files in it (raw.go).
//  4. Source.Write makes a draft, and draft.write draws and writes each trial (write.go).
//
// The main types are Source, which draws one dataset; Options, the settings that the name does not contain; kind, a
// family of datasets with a common generator; and draft, a dataset that is ready to be drawn.
//
// # What is promised
//
//   - Trial 7 is the same whether or not trial 6 was drawn. A trial's random numbers come from a hash of the seed, the
//     dataset's name and the trial. Genes that were not measured have random values, which depend only on the seed and
//     are the same in all trials.
//   - A generator whose output changes gets a new version. Plans refuse data from an earlier version (Current).
//   - Write replaces files of the same dataset. It replaces other files only with force. If the directory has more
//     trials than the dataset, Write returns an error.
//
// # A new kind
//
// To add a kind, write a file with a Source and its kind, and add a line to kinds (source.go). TestKinds tests all
// kinds.
//
// benchmark_test.go, mnist_test.go and kegg_test.go test the draws and their moments, and contain values that must
// not change. They make raw files with jobs/simulate/simulatetest. idx_test.go tests the reader of IDX files, and
// source_test.go tests names and kinds.
package simulate
