package figures

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// onDark are the colours that change on a dark page. Those of pictures do not.
var onDark = map[color.NRGBA]color.NRGBA{
	{0xff, 0xff, 0xff, 0xff}: {0x17, 0x19, 0x1d, 0xff}, // paper
	ink:                      {0xe4, 0xe3, 0xdf, 0xff},
	faint:                    {0xa8, 0xa8, 0xa8, 0xff},
	hair:                     {0x38, 0x3b, 0x42, 0xff},
	linkColor:                {0x60, 0x64, 0x6c, 0xff},
	pathColor:                {0xb0, 0xa4, 0xa0, 0xff},
	otherColor:               {0x6f, 0xa2, 0xcd, 0xff},
	targetColor:              {0xff, 0x7a, 0x5c, 0xff},
	black:                    {0xf2, 0xf2, 0xf2, 0xff},
	red:                      {0xff, 0x8a, 0x3d, 0xff},
	slate:                    {0x9d, 0x90, 0x82, 0xff},
	sky:                      {0x54, 0xc6, 0xff, 0xff},
	orange:                   {0xff, 0xfd, 0x00, 0xff},
	pink:                     {0xdc, 0x97, 0xbd, 0xff},
	wine:                     {0xba, 0x48, 0x88, 0xff},
	olive:                    {0x7c, 0x86, 0x29, 0xff},
	green:                    {0x8e, 0xff, 0xad, 0xff},
	blue:                     {0x22, 0x82, 0xd6, 0xff},
}

// Themes is a style sheet's custom properties, --f and the digits of a colour, for the colours of SVG
// figures that change on a dark page.
func Themes() string {
	var lines []string
	digits := func(c color.NRGBA) string { return fmt.Sprintf("%02X%02X%02X", c.R, c.G, c.B) }
	for c, d := range onDark {
		lines = append(lines, fmt.Sprintf("--f%s: light-dark(#%[1]s, #%[2]s);", digits(c), digits(d)))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
