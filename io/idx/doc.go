// Package idx reads IDX files, the format of the MNIST images and their labels (Y. LeCun,
// C. Cortes, C. Burges, The MNIST database of handwritten digits), plain or compressed
// with gzip.
//
//	bytes    images             labels
//	0-3      0x00000803         0x00000801    unsigned bytes, three dimensions or one
//	4-7      number of images   number of labels
//	8-11     rows
//	12-15    columns
//	then     pixels, row by row, 0 to 255     labels
//
// Whole numbers are of 32 bits, the highest byte first. Offsets in errors are those of the
// uncompressed content.
package idx
