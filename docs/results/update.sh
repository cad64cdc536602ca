#!/usr/bin/env bash
# Merges finished runs and keeps what of their reports belongs here: the report as Markdown, the tables
# that it links to, its figures as SVG, the rows that these are made of, and the experiment's file.
#
#     docs/results/update.sh runs/benchmark runs/kegg
#
# GDMERGE names the program and what it is to be told, such as "bin/gdmerge --allow-partial".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
gdmerge=${GDMERGE:-$here/../../bin/gdmerge}
most=500k # a figure
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
for run in "$@"; do
    name=$(basename "$run")
    $gdmerge "$run" --out "$made/$name" > /dev/null
    rm -rf "${here:?}/$name"
    mkdir -p "$here/$name/data"
    cp "$made/$name"/data/*.svg "$here/$name/data/" 2> /dev/null || true # a report may have no figure
    for table in $(sed -n 's/.*(\(data[^()]*\.md\)).*/\1/p' "$made/$name/report.md" | sort -u); do # of some reports, none
        cp "$made/$name/$table" "$here/$name/data/"
    done
    cp "$made/$name/report.md" "$here/$name/README.md"
    cp "$made/$name/data/chosen.parquet" "$here/$name/"
    cp "$made/$name"/*.yaml "$here/" # the experiment's file, which its commands name
    sed -i 's|\([^ ]*\.yaml\) stands beside this report|[\1](../\1) has the settings of this run|' "$here/$name/README.md"
    find "$here/$name" -name '*.svg' -size +"$most" | while read -r large; do
        figure=data/$(basename "$large")
        sed -i "s|^!\\[.*\\]($figure)\$|*Left out here for its size; gdmerge draws it.*|" "$here/$name/README.md"
        rm "$large"
    done
    if [ -f "$made/$name/data/figure3.csv" ]; then # the picture of the README
        awk -v panel='graph01-mu0.3, w' -v said='mistakes so far' -f "$here/panel.awk" "$made/$name/data/figure3.csv" > "$here/mistakes.svg"
    fi
done
du -sh "$here"
