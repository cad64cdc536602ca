// Package project finds subgraphs in a user's own graph: the projection of a vector on its
// nodes onto connected supports, or a prize-collecting Steiner forest. It is what
// `gdrun project` runs.
//
// A node has a weight, the entry of the vector, and a prize, which is its square. A user
// gives either; from prizes the weight is the square root.
//
//	top   the nodes of the largest weights, connected or not
//	pcsf  the forest of the least scale·(costs of its edges) + (prizes outside it),
//	      approximately: within a factor of 2 of the least
//	head  a forest that keeps much of the prizes; see package projection
//	tail  a forest that leaves little of the prizes outside
//
// Head and tail look for a scale at which the forest has the size asked for. With a budget
// on the costs of edges they follow Hegde, Indyk and Schmidt (2015), with guarantees but a
// looser size: see projection.Budget.
package project
