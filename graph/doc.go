// Package graph holds undirected graphs with edge costs.
//
// A Graph keeps its edges twice: as a list, where an edge is known by its index, and
// as compressed sparse rows of arcs, where a node sees its neighbours. Nothing
// changes a graph once it is made, so that workers share one.
//
// Nodes are features of a learning problem: node i is feature i. Real networks have
// isolated nodes and several components, and nothing here or above assumes otherwise.
package graph
