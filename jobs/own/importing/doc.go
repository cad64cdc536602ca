// Package importing turns a user's own tables of samples and network edges into a dataset directory. It is what `gdrun
// import` runs. Tables may have any format of io/dataframe:
//
//	samples.csv      status,TP53,MDM2,BRCA1      a label, an optional split or patient, features
//	edges.csv        source,target,cost          by names of features; cost is optional
//	features.csv     name,truth,row,col          optional, and so is every column but name
//	groups.csv       feature,group               optional
//
// The typical steps, all in Import, are:
//
//  1. Request.Validate checks the settings without opening a file (request.go).
//  2. network.ReadEdges reads the edges, and sampletable.Table.Read the samples.
//  3. Suspicions (suspicions.go) look for likely mistakes. They become notes for the user.
//  4. Request.features adds what other tables say about the features (features.go). Request.among makes the network of
//     the features (edges.go). Lines about anything that is no feature are left out and counted in a note.
//  5. For each trial, randomDraw or foldDraw divides the samples into training, validation and test (draw.go). If
//     the file assigns samples to splits, they form one trial, in the order of the file.
//  6. The dataset is written to a temporary folder, read back as every command reads it, and then moved to its
//     place (write.go).
//
// The main types are Request, what the user asks for, and Result, what was written.
//
// # How samples are divided
//
// A random trial is a random order of all samples: 60 % for training, 20 % for validation and 20 % for test. In a
// cross-validation, one fold is for test, the next for validation, and the others for training. The samples of one
// patient are never divided. In classification each class is divided separately, and so are the patients with
// samples of both classes. If a split lacks a class, the samples are refused.
//
// # What is promised
//
//   - A random trial depends on the seed, the number of the trial, the samples' ids and patients, and which
//     samples share a class. The names of the classes, which class is positive, the unit of times, the order of
//     rows and edges, and the folder's name do not matter.
//   - Missing values are filled in, and features standardised, by the training samples of each trial alone.
//     Predictions use nothing of the test samples.
//   - If Import fails or is killed, an earlier dataset at the same place stays.
//
// importing_test.go tests whole imports and draw_test.go the trials. Other test files here test how package sampletable
// reads samples. fuzz_test.go fuzzes all files. The scenarios import.txt and refused-import.txt of cmd/gdrun show the
// messages.
package importing
