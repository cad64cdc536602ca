// Package network reads a user's graph from an edge list, and the values of its nodes from a second table.
//
// Edge lists come in every format of package dataframe: CSV, TSV, SIF, GraphML, Parquet and Arrow. Each row is an edge:
//
//	source,target,cost
//	TP53,MDM2,0.3
//
// The typical steps to read an edge list for features that are already known are:
//
//  1. Describe the file in an EdgeRequest: its path, its columns, and how confidences become costs.
//  2. Read the file with ReadEdges. ReadEdges checks every row and every cost.
//  3. Make the graph of the known features with EdgeList.Among, which counts edges to other nodes.
//  4. Show EdgeList.Notes to the user: duplicate edges, self-loops and so on. If few names match, Mismatch guesses why.
//
// Read does all this for a graph whose nodes are listed in a file of values:
//
//	name,value
//	TP53,4.1
//
// The main types are:
//
//   - EdgeList is an edge list as read from the file.
//   - Subgraph is the graph on some of the nodes. It counts the nodes and rows that it omits.
//   - Network is a Subgraph with a value for each node.
//   - Formula says how confidences become costs. Duplicates says which cost an edge with several costs gets.
//   - GraphML is a graph with attributes, which GraphML.Write writes for Gephi, Cytoscape and similar programs.
//
// # Edges
//
// The ends of an edge, source and target, are names or whole numbers. The columns may have other names; see
// EdgeRequest. Costs must be at least 0. If there is no column of costs, every edge costs 1. Self-loops are left out.
// Rows with the same two ends make one edge. If their costs differ, Duplicates decides. The graph depends neither on
// the order of the rows nor on which end of an edge comes first.
//
// # Which value belongs to which node
//
// If the ends of edges are names, the values file needs a column "name". If the ends are integers, the columns of
// the values file decide what the integers mean:
//
//	"name", if an end is among its values        the names of nodes, such as Entrez ids
//	"index"                                     the indices of nodes, counting from 0
//	"name" of whole numbers, without "index"    the names of nodes
//	otherwise                                   row i of the values file is node i, counting from 0
//
// If there is neither "name" nor "index", Read returns an error if another column may name the nodes. If
// there are both, they differ, and the integers could be either, Read returns an error too. A file with two
// columns needs no header.
//
// The graph has the nodes that the file of edges names, with or without an edge. A node without a row in the values
// file has value 0. Network.Unmatched lists names in the values file that are not nodes. The row "(intercept)", which
// `gdrun cell --weights` writes, is ignored.
//
// # First rows
//
// header.go decides whether the first row of a text file is an edge or a header with the names of the columns. A row of
// usual headings such as gene1,gene2 is a header unless a node in later rows has a similar name. It is also a header if
// a column of numbers is below one of its words.
//
// edges_test.go tests edges and costs. header_test.go tests first rows. matching_test.go tests guesses about names.
package network
