// Package network reads a user's graph from an edge list, and the values of its nodes from a second table.
//
// Edge lists come in every format of package dataframe: CSV, TSV, SIF, GraphML, and also Parquet and Arrow. Each row is
// an edge:
//
//	source,target,cost
//	TP53,MDM2,0.3
//
// The typical steps to read an edge list for features that are already known are:
//
//  1. Describe the file in an EdgeRequest: its path, its columns, and how confidences become costs.
//  2. Read the file with ReadEdges. It checks every row and every cost.
//  3. Make the graph of the known features with EdgeList.Among. Edges to other nodes are left out and counted.
//  4. Show the user EdgeList.Notes: duplicate edges, self-loops and so on. Mismatch guesses why few names match.
//
// Read does all this for a graph whose nodes are listed in a file of values:
//
//	name,value
//	TP53,4.1
//
// The main types are:
//
//   - EdgeList is an edge list as read from the file.
//   - Subgraph is the graph on some of the nodes. It counts what was left out.
//   - Network is a Subgraph with a value for each node.
//   - Formula says how confidences become costs. Duplicates says which cost an edge with several costs gets.
//   - GraphML is a graph with attributes, which GraphML.Write writes for Gephi, Cytoscape and similar programs.
//
// # Edges
//
// Source and target are names or whole numbers. Their columns may have other names; see EdgeRequest. Costs are at least
// 0, and 1 if there is no column of costs. Self-loops are left out. Rows with the same two ends make one edge. If their
// costs differ, Duplicates decides. The graph depends neither on the order of the rows nor on which end of an edge
// comes first.
//
// # Which value belongs to which node
//
// If the ends of edges are names, the values file needs a column "name". If the ends are integers, the columns of
// the values file decide what the integers mean:
//
//	"name" with an end, or of numbers  the nodes' names, such as Entrez ids
//	column "index"                     the nodes' indices, counting from 0
//	neither, or "name" of other words  row i of the values file is node i, counting from 0
//
// If both columns could be meant and they differ, the file is refused. A file with two columns needs no header.
//
// A node is in the graph if the file of edges names it, with or without an edge. A node without a row in the
// values file has value 0. Rows with other names are left out, and Network lists them. A row with the name
// "(intercept)", which `gdrun cell --weights` writes, is not a node and is left out.
//
// # First rows
//
// header.go decides whether the first row of a text file is an edge or the columns' names. Known words such as
// gene1,gene2 are a header if no node below has a similar name, or if a column of numbers has a name.
//
// # Tests
//
// The tests are in edges_test.go and header_test.go. The scenarios of cmd/gdrun run `gdrun import` and
// `gdrun project`.
package network
