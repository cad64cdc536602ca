// Package importing makes a dataset directory of a user's own tables: samples, a row each,
// and the edges of a network of their features. It is what `gdrun import` runs.
//
//	samples.csv      status,TP53,MDM2,BRCA1      a label, an optional split or patient, features
//	edges.csv        source,target,cost          by names of features; cost is optional
//	features.csv     name,truth,row,col          optional, and so is every column but name
//	groups.csv       feature,group               optional
//
// Tables are of any format of io/tabular.
//
// # What becomes of them
//
// Samples are read as package cohort says. Features are the nodes of the graph, with edges or without. What
// other tables tell about anything that is no feature is left out and counted in a note.
//
// Samples with a split of their own stay in the order of the file, as one trial. Others are
// drawn: each trial is a random order of all samples, cut into the three splits by patient, each class
// on its own, or one turn of a cross-validation: one fold to test, the next to validate, the others
// to train. A trial's draw depends on the seed, the dataset's name, the trial and the samples,
// and not on the order of rows: samples are sorted before, by their ids, or by their values where
// they have none. Nor does the graph depend on the order of edges.
//
// Missing values are filled in, and features standardised, by the training samples of each trial
// alone, so that nothing of the test samples is known when they are predicted.
//
// The dataset is written beside its place, read back as every command reads it, and only then takes its place.
package importing
