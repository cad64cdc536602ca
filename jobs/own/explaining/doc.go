// Package explaining shows the part of the network that a model selects: as tables, as GraphML for Cytoscape and
// similar programs, and as a picture. `gdrun explain` runs it.
//
// The typical steps are:
//
//  1. Select finds the selected features, the edges between them, and connectors (subgraph.go).
//  2. Subgraph.Annotate and Subgraph.Sets add the user's tables about features (annotate.go, sets.go).
//  3. Subgraph.Files returns the files (write.go, picture.go).
//
// A Subgraph has Nodes and Edges. scores.go draws figures of scores for other packages. explaining_test.go tests the
// parts, the files and the texts.
//
// # Parts
//
// A part is a connected set of features that have a weight. A method that projects onto the network selects a few
// trees. A tree may pass through features whose weight becomes 0. The model does not store such features, so this
// package searches for features that connect the parts. It adds the feature whose edges join the most parts, until no
// feature joins two parts. The added features are called connectors.
//
// # Weights
//
// The package shows the weights with which the model predicts. A tuned model predicts with refitted weights. It also
// has frequencies: the share of the splits that selected a feature.
package explaining
