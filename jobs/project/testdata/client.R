# Asks the client of docs/clients about the graphs in folders that the test has written, and prints nodes and edges.
source("../../docs/clients/pcst.R")
for (dir in commandArgs(trailingOnly = TRUE)) {
  for (a in pcst(read.csv(file.path(dir, "edges.csv")), read.csv(file.path(dir, "queries.csv")))) {
    cat(a$id, sort(as.integer(a$nodes)), "edges", nrow(a$edges), a$error, "\n")
  }
}
