#!/bin/sh
# update.sh: takes the pictures of the tutorials again. It needs gdrun and gdmerge on the path, Chromium, ImageMagick and
# pngquant. In an empty folder: sh update.sh REPOSITORY/docs/images
set -e
images=$(cd "$1" && pwd)
sh_blocks() { awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$1"; }
picture() { # NAME PAGE CROP...: pieces of the page, one below the other
	name=$1 page=$2 pieces=
	shift 2
	for crop; do pieces="$pieces ( whole.png -crop $crop +repage )"; done
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1000,4500 --screenshot=whole.png "file://$PWD/$page"
	convert $pieces -append -resize 700x -strip cut.png
	pngquant --nofs --force --output "$images/$name.png" 24 cut.png
}
sh_blocks "$images/../tutorial.md" > tutorial.sh && sh tutorial.sh
picture found tuned/mine/report.html 1000x232+0+0 1000x508+0+804 1000x272+0+2509
picture nothing-found tuned/shuffled/report.html 1000x264+0+0
picture confidence confident/report.html 1000x232+0+0 1000x304+0+475 1000x476+0+851
picture evaluated evaluated/report.html 1000x394+0+0 1000x374+0+732 1000x388+0+1380
mkdir experiment && cd experiment
sh_blocks "$images/../first-experiment.md" > tutorial.sh && sh tutorial.sh
cp report/data/models.svg "$images/"
picture experiment report/report.html 1000x268+0+0 1000x374+0+1749 1000x394+0+2273
