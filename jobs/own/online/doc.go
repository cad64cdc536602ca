// Package online learns from samples as they come, for as long as they come, and keeps what it has learned in a
// model's file (io/model) that is replaced as a whole every so many samples.
//
// # What is kept
//
// The file holds the model that predicts, and the state of its learner: the problem, the settings, what the
// method's rule remembers (learners.Snapshot), and how far into the stream of samples it is. A process that
// is killed loses the samples since the file was last written. When the same stream is fed again, those that
// the file has learned are passed over, and the rest is learned: the file ends with the same bytes as if
// nothing had happened, for nothing in it depends on when it was written.
//
// # Which stream it is
//
// The file knows the stream by checksums of its first 16 samples, and one of all that it has learned. Another
// stream is refused, or follows (Request.Next): a stream is then new if one of its first 16 samples is not that of
// the last one, so that the same command may be given again after a crash in the middle of the second stream too.
//
// # The order of things
//
// A sample is predicted by the models learned from those before it, then counted, then learned. One
// goroutine reads and another learns.
package online
