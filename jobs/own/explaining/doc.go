// Package explaining shows the part of the network that a model selects: as tables, as GraphML for Cytoscape and
// similar programs, and as a picture. It is what `gdrun explain` runs.
//
// # Parts
//
// The features that have a weight, with the edges between them, form parts. Methods that project onto the network
// look for few parts, and their trees may pass through features that end with no weight. A model does not contain
// such features, so this package finds them again. Among the features without a weight, it first adds the feature
// whose edges join the most parts, then the next one, until no feature joins two parts. These features are called
// connectors. Methods without a network have none.
//
// # Weights
//
// Weights are the weights to predict with. For a tuned model these are the refitted weights. If the model has
// frequencies, they are the shares of the splits in which a feature was selected.
package explaining
