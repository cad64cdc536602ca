// Package explaining shows the part of the network that a model selects: as tables, as GraphML for Cytoscape and
// similar programs, and as a picture. `gdrun explain` runs it.
//
// # Parts
//
// The features that have a weight, with the edges between them, form parts. Methods that project onto the network look
// for few parts, and their trees may pass through features whose weight becomes 0. A model does not contain such
// features, so this package finds them again. It adds the feature whose edges join the most parts, and repeats this
// until no feature joins two parts. The added features are called connectors. Methods without a network have none.
//
// # Weights
//
// The weights shown are the weights with which the model predicts: the refitted weights, for a tuned model. If the
// model has frequencies, they are shown too: the frequency of a feature is the share of the splits in which it was
// selected.
package explaining
