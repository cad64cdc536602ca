// Package stp reads prize-collecting Steiner tree problems from .stp files, the format of
// SteinLib and of the 11th DIMACS Implementation Challenge.
//
//	33D32945 STP File, STP Format Version 1.0
//	SECTION Comments
//	Name "K100"
//	END
//	SECTION Graph
//	Nodes 100
//	Edges 351
//	E 1 2 11224           nodes count from 1
//	END
//	SECTION Terminals
//	Terminals 14
//	RootP 3               rooted problems only
//	TP 12 9803            prize of node 12; nodes without a line have prize 0
//	END
//	EOF
//
// Words are told apart without regard to case and by any white space, numbers may have
// decimals, and # begins a comment line. Sections other than these three are passed over.
// The number of nodes must be given; other counts, where they are, must be right. Of
// several edges between the same nodes the cheapest counts, the first of equals;
// Instance.Parallel says how many were dropped.
//
// # Node weights
//
// In a file for the maximum-weight connected subgraph problem the lines of terminals are
// "T v weight", weights may be negative, and edges have no cost. It is read as the
// equivalent prize-collecting problem: with m = min(0, the smallest weight), a node's prize
// is its weight − m and every edge costs −m. A tree of total weight W then has
//
//	W = (sum of all prizes) + m − (its edges' costs + prizes outside)
//
// Nodes without a line have weight 0.
package stp
