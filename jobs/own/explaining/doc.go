// Package explaining shows what a model has selected of its network: as tables and GraphML for Cytoscape and
// the like, and as a picture.
//
// # Parts
//
// The features that have a weight, with the edges between them, fall into parts. Methods that project onto the
// network look for few of them, and their trees may pass through features that end with no weight. Such
// features are not in a model, so they are found again: of the features without a weight, those that join
// most parts by edges of their own are taken one after the other, until none joins two. They are marked as
// connectors. A method without a network has none.
//
// # Weights
//
// Weights are those to predict with: of a tuned model the refitted ones. Frequencies, where the model has them,
// are the shares of the splits in which a feature was selected.
package explaining
