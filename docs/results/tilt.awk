# Tests whether our mistakes on a graph differ from the published mistakes by more than chance:
#
#     awk -v graph=graph01 -f docs/results/tilt.awk jobs/paper/published.json report/data/results.csv
#
# For each trial and method, and for w and w̄, the script subtracts the published mean from our number of mistakes (by
# rule paper). It divides the difference by the standard deviation of our numbers over the trials. A trial's score z is
# the mean of these quotients. A trial has one score, because its methods learn from the same data. Test A flips the
# signs of the scores 100,000 times. p is the share of flips whose mean is as far from 0 as ours, or farther. Test B is
# Student's t. It takes into account that the published means are means over only 20 trials.
BEGIN { FS = "," }
FNR == NR {
  if (/"name": "graph/) { split($0, part, "\""); table = part[4] }
  if (/"method":/) { split($0, part, "\""); method = part[4] }
  if (table == graph && match($0, /"mistakes": "[0-9.]+"/)) {
    published[method, /"wbar":/ ? 1 : 0] = substr($0, RSTART + 13, RLENGTH - 14) + 0
    if (/"w":/) methods[++kinds] = method
  }
  next
}
FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
index($at["dataset"], graph "-mu0.3") == 1 && $at["checkpoint"] == 400 && $at["valid_accuracy"] != "" {
  key = $at["method"] SUBSEP $at["trial"]; accuracy = $at["valid_accuracy"] + 0; missed = $at["mistakes"] + 0
  if (!(key in best) || accuracy > best[key] || accuracy == best[key] && missed < mistakes[key, 0]) {
    best[key] = accuracy; mistakes[key, 0] = missed; mistakes[key, 1] = $at["mistakes_wbar"] + 0
    if (!($at["trial"] in trials)) { trials[$at["trial"]]; n++ }
  }
}
function flip() { seed = (seed * 16807) % 2147483647; return seed % 65536 < 32768 ? 1 : -1 } # Lewis, Goodman and Miller 1969
END {
  for (k = 1; k <= kinds; k++) for (bar = 0; bar < 2; bar++) {
    sum = square = count = 0
    for (trial in trials) if ((methods[k], trial) in best) { x = mistakes[methods[k], trial, bar]; sum += x; square += x * x; count++ }
    if (count < n || n < 2) continue
    mean = sum / n; error = sqrt((square - n * mean * mean) / (n - 1) / n)
    lines++; below += mean < published[methods[k], bar]
    printf "%-12s %s  ours %.2f  published %.2f  z %+.2f\n", methods[k], bar ? "w̄" : "w ", mean, published[methods[k], bar],
      (mean - published[methods[k], bar]) / (error * sqrt(1 + n / 20))
    for (trial in trials) z[trial] += (mistakes[methods[k], trial, bar] - published[methods[k], bar]) / error / sqrt(n)
  }
  if (!lines) { print "tilt: no trial of " graph " has mistakes" > "/dev/stderr"; exit 1 }
  for (trial in trials) { z[trial] /= lines; list[++m] = z[trial]; sum0 += z[trial]; square0 += z[trial] * z[trial] }
  seed = 1; flips = 100000
  for (f = 0; f < flips; f++) {
    sum = 0
    for (i = 1; i <= n; i++) sum += flip() * list[i]
    far += sum * sum >= sum0 * sum0 * (1 - 1e-12)
  }
  mean = sum0 / n; deviation = sqrt((square0 - n * mean * mean) / (n - 1))
  printf "%s, %d trials: %d of %d below; mean z of a trial %+.3f ± %.3f; p = %.3f with signs flipped; ", graph, n, below, lines, mean,
    deviation / sqrt(n), (far + 1) / (flips + 1)
  printf "t = %.2f where the published means have errors too\n", mean / (deviation * sqrt(1 / n + 1 / 20))
}
