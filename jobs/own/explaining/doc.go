// Package explaining shows the part of the network that a model selects: as tables, as GraphML for Cytoscape and
// similar programs, and as a picture. It is what `gdrun explain` runs.
//
// # Parts
//
// The features that have a weight, with the edges between them, form parts. Methods that project onto the network look
// for few parts, and their trees may pass through features that end with no weight. Such features are not in a model,
// so they are found again. Of the features without a weight, the feature whose own edges join the most parts is taken
// first, then the next, until none joins two parts. These features are marked as connectors. A method without a network
// has none.
//
// # Weights
//
// Weights are the weights to predict with. For a tuned model these are the refitted weights. Frequencies, where the
// model has them, are the shares of the splits in which a feature was selected.
package explaining
