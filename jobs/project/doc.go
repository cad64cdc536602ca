// Package project finds a subgraph in a user's graph, for `gdrun project`.
//
// The typical steps are:
//
//  1. A Source names the files: a graph, and weights or prizes of its nodes. Open reads the files and returns a
//     Problem.
//  2. A Request has the kind and the size of the subgraph, and settings such as a factor on the costs.
//  3. Problem.Project finds the subgraph.
//  4. Result.Write writes the answer as text, JSON, CSV, GraphML or Arrow.
//
// A node has a weight w and a prize w². The user gives either weights or prizes. The kinds are:
//
//	top   the nodes with the largest weights, connected or not
//	pcsf  the forest that minimises scale·(costs of its edges) + (prizes outside it), within a factor of 2
//	head  a forest with a large total prize; see package projection
//	tail  a forest that leaves only a small total prize outside
//
// For head and tail, Project searches for a factor on the costs that gives the forest the wanted size. If a budget
// limits the costs, it uses algorithms of Hegde, Indyk and Schmidt (2015) instead. They guarantee bounds on the prizes,
// but the forest may be larger than wanted (see projection.Budget).
//
// The scenarios of cmd/gdrun also test this package.
package project
