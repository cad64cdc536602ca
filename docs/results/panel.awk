# Draws one panel of a figure's CSV, as gdmerge writes it, as a large picture whose lines have their names at their ends:
#
#     awk -v panel='graph01-mu0.3, w' -v said='mistakes so far' -f docs/results/panel.awk report/data/figure3.csv
#
# Mistakes are drawn beside half of the samples, which guessing gets wrong. The picture is on standard output.
function px(x) { return 56 + (x - low) / (high - low) * 470 }
function py(y) { return 330 - y / most * 306 }
BEGIN {
  split("adam #717987 l1-rda #56B4E9 adagrad #FFA300 da-gl #E186B2 da-sgl #852051 stoiht #5C6D22 graphstoiht #009D71 " \
    "da-iht #0072B2 graphda #D55E00", pair, " ")
  for (i = 1; i in pair; i += 2) colour[pair[i]] = pair[i + 1]
}
index($0, "\"" panel "\",") == 1 {
  split(substr($0, length(panel) + 4), field, ",")
  key = field[1]; x = field[3]; y = field[4]
  if (!(key in line)) { keys[++n] = key; name[key] = field[2]; low = low == "" || x < low ? x : low }
  line[key] = line[key] " " x "," y; last[key] = y
  if (x + 0 > high + 0) high = x
}
END {
  if (n == 0) { print "panel.awk: no panel \"" panel "\"" > "/dev/stderr"; exit 1 }
  low += 0; high += 0; most = high / 2
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 384\" width=\"640\" role=\"img\" " \
    "font-family=\"'Liberation Sans',Arial,Helvetica,sans-serif\" font-size=\"13\" fill=\"#222222\">"
  print "<title>" said " over training samples, " panel "</title>"
  print "<rect width=\"640\" height=\"384\" fill=\"#FFFFFF\"/>"
  for (y = 0; y <= most; y += most / 4) {
    printf "<path d=\"M56,%.1fH526\" stroke=\"#DDDDDD\"/><text x=\"48\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", py(y), py(y) + 4, y
  }
  for (x = low; x <= high; x += 100) printf "<text x=\"%.1f\" y=\"350\" text-anchor=\"middle\">%g</text>\n", px(x), x
  print "<text x=\"291\" y=\"374\" text-anchor=\"middle\">training samples</text><text x=\"56\" y=\"14\">" said "</text>"
  keys[++n] = "guessing"; name["guessing"] = "guessing"; colour["guessing"] = "#999999"; last["guessing"] = high / 2
  line["guessing"] = " " low "," low / 2 " " high "," high / 2
  for (i = 1; i <= n; i++) for (j = n; j > i; j--) if (last[keys[j]] > last[keys[j-1]]) { k = keys[j]; keys[j] = keys[j-1]; keys[j-1] = k }
  for (i = 1; i <= n; i++) at[i] = py(last[keys[i]]) # names stand 16 apart, as near to their lines as may be
  for (round = 0; round < 500; round++) for (i = 2; i <= n; i++) if ((gap = 16 - at[i] + at[i-1]) > 0) { at[i-1] -= gap / 2; at[i] += gap / 2 }
  for (i = 1; i <= n; i++) {
    k = keys[i]; path = ""; bold = k == "graphda"
    m = split(line[k], point, " ")
    for (j = 1; j <= m; j++) { split(point[j], xy, ","); path = path (j > 1 ? "L" : "M") sprintf("%.1f,%.1f", px(xy[1]), py(xy[2])) }
    printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s/>\n", path, colour[k], bold ? 3 : 1.6, k == "guessing" ? " stroke-dasharray=\"4 4\"" : ""
    printf "<path d=\"M528,%.1fL540,%.1f\" stroke=\"%s\"/><text x=\"544\" y=\"%.1f\"%s>%s</text>\n", py(last[k]), at[i], colour[k], at[i] + 4, bold ? " font-weight=\"bold\"" : "", name[k]
  }
  print "</svg>"
}
