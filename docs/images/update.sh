#!/bin/sh
# update.sh: takes the pictures of the tutorials again. It needs gdrun and gdmerge on the path, Chromium, ImageMagick and
# pngquant. In an empty folder: sh update.sh REPOSITORY/docs/images
set -e
images=$(cd "$1" && pwd)
sh_blocks() { awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$1"; }
picture() { # NAME PAGE CROP
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1000,3000 --screenshot=whole.png "file://$PWD/$2"
	convert whole.png -crop "$3" +repage -resize 700x -strip cut.png
	pngquant --force --output "$images/$1.png" 16 cut.png
}
sh_blocks "$images/../tutorial.md" > tutorial.sh && sh tutorial.sh
picture found tuned/mine/report.html 1000x780+0+0
picture nothing-found tuned/shuffled/report.html 1000x330+0+0
picture confidence confident/report.html 1000x580+0+930
picture evaluated evaluated/report.html 1000x900+0+0
mkdir experiment && cd experiment
sh_blocks "$images/../first-experiment.md" > tutorial.sh && sh tutorial.sh
cp report/data/models.svg "$images/"
picture experiment report/report.html 1000x1080+0+1720
