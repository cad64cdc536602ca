# pcst(edges, queries): many prize-collecting queries on one graph in R, answered by gdrun, in base R alone.
#
# edges    data frame with columns source, target and, if not 1, cost
# queries  data frame with columns id, name, prize, and any other column of ../queries.md; the rows of a query
#          stand together
# options  further options of gdrun project, such as c("--certify", "-j", "4")
#
# It returns a list with an element for each query, in their order: nodes, edges (a data frame with columns source and
# target), prize, cost, gap, why, error. gdrun must be on the PATH, or the environment variable GDRUN must name it.

pcst <- function(edges, queries, options = character()) {
  dir <- tempfile("pcst")
  dir.create(dir)
  on.exit(unlink(dir, recursive = TRUE))
  at <- function(name) file.path(dir, name)
  exact <- function(table) { # numbers with all their digits
    for (column in names(table)) {
      if (is.double(table[[column]])) {
        table[[column]] <- ifelse(is.na(table[[column]]), NA, sprintf("%.17g", table[[column]]))
      }
    }
    table
  }
  utils::write.csv(exact(edges), at("edges.csv"), row.names = FALSE, na = "")
  utils::write.csv(exact(queries), at("queries.csv"), row.names = FALSE, na = "")
  gdrun <- Sys.getenv("GDRUN", "gdrun")
  args <- c("project", "--graph", at("edges.csv"), "--queries", at("queries.csv"), "--out", at("answers.csv"), options)
  if (system2(gdrun, shQuote(args), stdout = FALSE) != 0) {
    stop("gdrun has failed")
  }
  rows <- utils::read.csv(at("answers.csv"), colClasses = "character")
  number <- cumsum(rows$kind == "answer")
  lapply(seq_len(max(0, number)), function(i) {
    of <- rows[number == i, ]
    list(id = of$id[1], nodes = of$name[of$kind == "node"], edges = of[of$kind == "edge", c("source", "target")],
         prize = as.numeric(of$prize[1]), cost = as.numeric(of$cost[1]), gap = as.numeric(of$gap[1]), why = of$why[1],
         error = of$error[1])
  })
}
