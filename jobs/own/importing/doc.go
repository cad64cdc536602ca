// Package importing turns a user's tables of samples and network edges into a dataset directory, for `gdrun import`.
// The tables, in any format of io/dataframe, are:
//
//	samples.csv      status,TP53,MDM2,BRCA1      a label, an optional split or patient, features
//	edges.csv        source,target,cost          by names of features; cost is optional
//	features.csv     name,truth,row,col          optional; only the column name is needed
//	groups.csv       feature,group               optional.
//
// The typical steps, all in Import, are:
//
//  1. Request.Validate checks the settings without opening a file (request.go).
//  2. network.ReadEdges reads the edges, and sampletable.Table.Read reads the samples.
//  3. The methods of suspects look for likely mistakes, and write notes for the user (suspicions.go).
//  4. Request.features reads tables about the features (features.go). Request.among makes the network of the features
//     (edges.go). Both skip lines with unknown features, and count these lines in a note.
//  5. For each trial, randomDraw or foldDraw divides the samples into training, validation and test (draw.go). If the
//     file assigns samples to splits, there is one trial, with these splits and with the samples in file order.
//  6. Import writes the dataset to a temporary folder, reads it back, and moves it to its place (write.go).
//
// A Request says what the user asks for, and a Result describes the written dataset.
//
// # How samples are divided
//
// A random trial is a random order of all samples: 60 % for training, 20 % for validation and 20 % for test. In a
// cross-validation, one fold is for test, the next fold for validation, and all other folds for training. All samples
// of a patient are in the same split. In classification, Import divides each class separately. Patients with samples of
// both classes form a third class. Import refuses a class with too few samples for all splits or folds.
//
// # What is promised
//
//  1. A random trial depends only on the seed, the number of the trial, the samples' ids and patients, and which
//     samples share a class. It does not depend on the order of rows, or on which class is positive.
//  2. Each trial uses only its training samples to fill in missing values and to standardise features. So no prediction
//     depends on the test samples. There is one exception: a feature without any value in the training samples gets its
//     fill value from all samples.
//  3. If Import fails or is killed, it does not change an earlier dataset at the same place.
//
// importing_test.go tests whole imports, draw_test.go tests the trials, and fuzz_test.go fuzzes all files. The
// scenarios import.txt and refused-import.txt of cmd/gdrun show the messages.
package importing
