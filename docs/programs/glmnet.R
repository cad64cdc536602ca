# Elastic net of package glmnet; the penalty's weight is chosen by cross-validation on the training samples.
suppressMessages({library(glmnet); library(jsonlite)})

say <- function(answer) {
  cat(toJSON(answer, auto_unbox = TRUE, digits = NA), "\n", sep = "")
  flush(stdout())
}

# A file of data: npy has a head of 128 bytes and then the rows.
numbers <- function(path) {
  n <- (file.size(path) - 128) / 8
  file <- file(path, "rb")
  on.exit(close(file))
  readBin(file, "raw", 128)
  readBin(file, "double", n, size = 8, endian = "little")
}

input <- file("stdin", "r")
hello <- fromJSON(readLines(input, 1))
say(list(name = "glmnet", version = "1.0", info = list(glmnet = as.character(packageVersion("glmnet")))))
while (length(line <- readLines(input, 1)) > 0) {
  q <- fromJSON(line)
  y <- numbers(q$train_y)
  x <- matrix(numbers(q$train_x), ncol = hello$features, byrow = TRUE)
  for (n in q$checkpoints) {
    set.seed(q$seed)
    w <- tryCatch({
      fit <- cv.glmnet(x[1:n, ], y[1:n], family = "binomial", alpha = q$parameters$alpha, nfolds = 5)
      as.matrix(coef(fit, s = q$parameters$choose))[, 1]
    }, error = conditionMessage)
    if (is.character(w)) {
      say(list(cell = q$cell, error = w))
      break
    }
    places <- which(w[-1] != 0)
    say(list(cell = q$cell, checkpoint = n, indices = I(unname(places) - 1), values = I(unname(w[-1][places])),
             intercept = unname(w[1])))
  }
}
