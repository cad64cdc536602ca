package jobs

// Version is the program's version, recorded in plans and shards.
const Version = "0.1.0"
