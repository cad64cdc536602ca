// Package probes makes one feature of several columns of a user's table that measure one gene, such as the probes of a
// microarray. Rule.Find chooses the columns of each gene, and Columns, which a dataset and a model keep, make the same
// features of new samples.
//
// jobs/own/importing/probes_test.go tests it, from files on.
package probes
