// Package importing turns a user's own tables of samples and network edges into a dataset directory. `gdrun import`
// runs it. Tables may have any format of io/dataframe:
//
//	samples.csv      status,TP53,MDM2,BRCA1      a label, an optional split or patient, features
//	edges.csv        source,target,cost          by names of features; cost is optional
//	features.csv     name,truth,row,col          optional; only the column name is needed
//	groups.csv       feature,group               optional
//
// The typical steps, all in Import, are:
//
//  1. Request.Validate checks the settings without opening a file (request.go).
//  2. network.ReadEdges reads the edges, and sampletable.Table.Read reads the samples.
//  3. The methods of suspects (suspicions.go) look for likely mistakes, which become notes for the user.
//  4. Request.features adds what other tables say about the features (features.go). Request.among makes the network of
//     the features (edges.go). Lines with a name that no feature has are left out and counted in a note.
//  5. For each trial, randomDraw or foldDraw divides the samples into training, validation and test (draw.go). If the
//     file assigns samples to splits, there is one trial, with these splits and the file's order of samples.
//  6. The dataset is written to a temporary folder, read back as every command reads it, and then moved to its
//     place (write.go).
//
// The main types are Request, what the user asks for, and Result, what was written.
//
// # How samples are divided
//
// A random trial is a random order of all samples: 60 % for training, 20 % for validation and 20 % for test. In a
// cross-validation, one fold is for test, the next fold for validation, and all other folds for training. The samples
// of one patient are never divided. In classification each class is divided separately, and so are the patients with
// samples of both classes. If a class has too few samples for all splits or folds, the samples are refused.
//
// # What is promised
//
//   - A random trial depends on the seed, the number of the trial, the samples' ids and patients, and which
//     samples share a class. The names of the classes, which class is positive, the unit of times, the order of
//     rows and edges, and the folder's name do not matter.
//   - Each trial fills in missing values and standardises features by its training samples alone, so no prediction
//     depends on the test samples. Only a feature without any value in the training samples gets its fill value from
//     all samples.
//   - If Import fails or is killed, an earlier dataset at the same place stays.
//
// importing_test.go tests whole imports, and draw_test.go tests the trials. Other test files here test how package
// sampletable reads samples. fuzz_test.go fuzzes all files. The scenarios import.txt and refused-import.txt of
// cmd/gdrun show the messages.
package importing
