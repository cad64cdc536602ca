// Package probes makes one feature from several columns of a user's table if they measure one gene, as several probes
// of a microarray do. Rule.Find chooses the columns of each gene. Datasets and models store the Columns, so that the
// same features can be made from new samples. The tests are in jobs/own/importing/probes_test.go.
package probes
