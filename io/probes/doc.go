// Package probes makes one feature of several columns of a user's table that measure one gene, such as the probes
// of a microarray. Rule.Find chooses the columns of each gene. Datasets and models store Columns, which make the
// same features from new samples.
//
// jobs/own/importing/probes_test.go tests it, starting with files.
package probes
