// Package online learns a model from samples as they arrive, for `gdrun learn`. The model predicts each sample before
// it learns the sample. The model's file (io/model) is rewritten at regular intervals.
//
// # What the file holds
//
// The file holds the model that predicts, and the state of its learner: the problem, the settings, the method's memory
// (learners.Snapshot), and the position in the stream of samples. A killed process loses what it has learned since it
// last wrote the file. When the same command reads the same stream again, it skips the samples that the model in the
// file has learned, and learns the rest. In the end the file has the same bytes as without the kill.
//
// # How a stream is recognised
//
// The file identifies the stream by checksums of its first 16 samples, and by one checksum of all samples that it has
// learned. Another stream is refused unless Request.Next allows it. A stream is another stream if one of its first 16
// samples differs. So after a crash in the middle of a new stream, the same command continues with this stream.
package online
