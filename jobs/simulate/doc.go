// Package simulate draws the datasets of the paper and writes them as dataset
// directories. Every trial's random numbers come from a hash of the seed, the dataset's
// name and the trial, so that any trial can be drawn alone.
package simulate
