// Package simulate draws the datasets of the paper, reads raw files such as the images of MNIST for them, and writes
// them as dataset directories. It is what `gdrun simulate` runs. Example makes the tables of `gdrun example`. There are
// three kinds of datasets:
//
//	Benchmark   graph01-mu0.3        a raised subgraph of a grid; drawn from nothing
//	MNIST       mnist-0-normalized   regression on the pixels of a digit; from IDX files
//	KEGG        kegg-1               a shifted pathway among genes; from a network and expressions
//
// The typical steps are:
//
//  1. Named finds the Source of a dataset by its name, such as graph01-mu0.3 (source.go). Or the caller fills a
//     Benchmark, MNIST or KEGG, beginning with DefaultBenchmark, DefaultMNIST or DefaultKEGG.
//  2. Source.Validate checks the settings without opening a file.
//  3. MNIST and KEGG read their raw files (idx.go, keggfiles.go). These are no part of this project. Options.Raw names
//     their folder, and MNISTFiles and KEGGDir find the files in it (raw.go).
//  4. Source.Write makes a draft, and draft.write draws and writes each trial (write.go).
//
// The main types are Source, which draws one dataset; Options, what the name does not say; kind, a family of names with
// its generator; and draft, a dataset that is ready to be drawn.
//
// # What is promised
//
//   - Trial 7 is the same whether or not trial 6 was drawn: the random numbers of a trial come from a hash of the seed,
//     the dataset's name and the trial. Values in place of genes that were not measured are the same in all trials.
//     Their random numbers depend on the seed alone.
//   - A generator that begins to draw differently gets a new version. Plans refuse data that an earlier version drew
//     (Current).
//   - Write replaces what the same draw has written. Other files are replaced only with force, and trials beyond its
//     own are an error.
//
// # A new kind
//
// A new kind of datasets is a file with a Source and its kind, and a line in kinds (source.go). TestKinds runs over all
// of them.
//
// benchmark_test.go, mnist_test.go and kegg_test.go test the draws and their moments, and pin values that must not
// change. They make raw files with jobs/simulate/simulatetest. idx_test.go tests the reader of IDX files, and
// source_test.go names and kinds.
package simulate
