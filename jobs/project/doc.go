// Package project finds a subgraph in a user's own graph, for `gdrun project`.
//
// The typical steps are:
//
//  1. A Source names the files: a graph, and weights or prizes of its nodes. Open reads them and returns a
//     Problem.
//  2. A Request says what to find: its kind, its size, the scale of prizes, a root.
//  3. Problem.Project finds the subgraph.
//  4. Result.Write writes the answer as text, JSON, CSV, GraphML or Arrow.
//
// A node has a weight and a prize, and the prize is the square of the weight. A user gives one of them. The kinds
// are:
//
//	top   the nodes of the largest weights, connected or not
//	pcsf  the forest that minimises scale·(costs of its edges) + (prizes outside it), within a factor of 2
//	head  a forest that keeps much of the prizes; see package projection
//	tail  a forest that leaves little of the prizes outside
//
// Head and tail search for a scale at which the forest has the wanted size. With a budget on the costs of edges
// they follow Hegde, Indyk and Schmidt (2015), with guarantees on the prizes but a looser size: see
// projection.Budget.
//
// project_test.go and the scenarios of cmd/gdrun test it.
package project
