// Package probes makes one feature from the columns of a user's table that measure the same gene, such as several
// probes of a microarray. Rule.Find finds the columns of each gene. Datasets and models store the Columns, so that the
// same features can be made from new samples. The tests are in jobs/own/importing/probes_test.go.
package probes
