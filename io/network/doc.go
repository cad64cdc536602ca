// Package network reads a user's own graph and the values of its nodes from the tables
// that other programs write: CSV (.csv, .tsv, compressed with gzip or not), Parquet and Arrow.
//
// A graph file has a row for each edge:
//
//	source,target,cost
//	TP53,MDM2,0.3
//
// Source and target are names, or whole numbers; the columns may have other names (EdgeRequest). Cost is at
// least 0, and 1 if the column is absent. Self-loops are left out, and rows of one edge make one; both are
// counted. A values file has a row for each node:
//
//	name,value
//	TP53,4.1
//
// # Which node is which
//
// Where the graph's ends are names, the values file has a column "name" too. Where they
// are whole numbers, the values file tells what they mean:
//
//	column "index"                  the nodes' indices, counting from 0
//	column "name" of whole numbers  the nodes' names, such as Entrez ids
//	neither, or "name" of words     row i of the values file is node i, counting from 0
//
// A node of the graph without a row has value 0, and a node without an edge is a node all
// the same; Network lists or counts both, since a misspelt name makes one of each. Unmatched are
// the rows of the values file whose name or index stands at no end of an edge.
//
// A row of the name "(intercept)", which `gdrun cell --weights` writes, is no node and is left out.
//
// # Nodes that are known already
//
// EdgeList.Among makes the graph of nodes that the caller names; edges to other nodes are left out and counted.
package network
