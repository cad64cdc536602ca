// Package fewprize solves the prize-collecting Steiner forest problem for prizes on a few nodes of a
// large graph. It finds the forests of package pcst with one tree or more and no root, in
// time and memory that depend on how far the prizes reach and not on the size of the graph.
//
// # Growth as balls
//
// In package pcst every node is a cluster. Here clusters are made of terminals alone, the nodes
// with prizes, and a node that a cluster absorbs is in the ball of the terminal that reached it:
//
//   - A node's distance w from its terminal is the radius at which the ball reaches it. The ball of
//     terminal i has the radius min(t, D) − off at time t, with D the death of its cluster. So a
//     node is reached at the time w + off, and nobody need be told of it.
//   - A cluster that dies and is absorbed at time t later gets off += t − D. Merging clusters costs
//     O(k) for k terminals, and no node is ever relabelled.
//   - Two clusters meet along an edge when the moats of its ends, radius less distance, add up to its
//     cost. One of both moats is then at least half the cost. So the arcs of a node, in the order
//     of their costs, are each examined when the node's moat is half the cost, and not before: most
//     nodes are reached last, and have no arc examined at all.
//   - An arc to a free node labels it, for the time at which the arc will be filled. The label of the
//     least (time, edge) stands. An arc that loses, or whose cluster dies before it is filled, is
//     registered at the node, and examined again when the node is labelled anew.
//   - What waits for a dead cluster, or for one that will die too early, sleeps on a list of the
//     terminal, and is woken when its cluster merges.
//
// Events are (time, edge) in the order of package pcst. They wait in a ring of buckets, in which no
// times are stored: when a bucket opens, its events are found anew from the labels, and only those
// that are exact and fall into the bucket go through a heap.
//
// # Pruning
//
// The mergings of the terminals, at most k − 1, are gone through from the last to the first. One of
// two active clusters is kept; one of a dead cluster if an edge kept later ends in its balls. From
// both ends of a kept edge the way back to the terminals belongs to the forest.
//
// Each worker's Solver takes 32 bytes a node beside the Index, which they share.
package fewprize
