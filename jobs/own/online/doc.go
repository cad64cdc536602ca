// Package online learns a model from samples as they arrive, for as long as they arrive. It writes the model's file
// (io/model) again every so many samples. It is what `gdrun learn` runs.
//
// # What is kept
//
// The file holds the model that predicts, and the state of its learner: the problem, the settings, what the method's
// rule remembers (learners.Snapshot), and how far into the stream of samples it is. A process that is killed loses the
// samples since the file was last written. When the same stream is fed again, the samples that the file has learned are
// skipped, and the rest is learned. The file ends with the same bytes as without the kill, because nothing in it
// depends on when it was written.
//
// # Which stream it is
//
// The file knows the stream by checksums of its first 16 samples, and by one checksum of all samples that it has
// learned. Another stream is refused, unless it is said to follow (Request.Next). A stream counts as new if one of its
// first 16 samples differs from the last stream's. So the same command may be given again after a crash in the middle
// of the second stream.
//
// # The order of things
//
// A sample is predicted by the models that were learned from the samples before it, then counted, then learned. One
// goroutine reads and another learns.
package online
