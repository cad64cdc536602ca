// Package figures draws charts, pictures, networks and rankings as SVG, PNG and PDF, and writes their numbers as CSV.
// The package knows nothing about runs or statistics.
//
// The typical steps are:
//
//  1. The caller fills a Figure. A Chart has lines with error bars in a grid of panels (chart.go). Pictures has images
//     (pictures.go). Networks has node-link diagrams (networks.go). A Ranking is a critical-difference diagram
//     (ranking.go).
//  2. Draw puts the figure's pieces on a sheet and writes a file (sheet.go).
//  3. An HTML page needs no sheet: it places the pieces that Figure.Parts returns. Piece.Inline makes a piece an SVG
//     element. Themes returns style rules for light and dark pages (style.go).
//  4. WriteCSV writes the figure's numbers (figure.go).
//
// Panels, lines and points of charts are in extent.go. Package figures/canvas places the nodes of networks and writes
// the three formats.
//
// # What is promised
//
// The same figure gives the same bytes. Only the layout of a network may differ in its last digits between kinds of
// processors.
//
// A method looks the same in every figure: Line.Key determines the colour, dashes and marker (styles). Any two colours
// look different, even to people who cannot see green. In grey prints, markers distinguish methods.
//
// Points that are not finite are gaps. A panel without a point says so.
//
// # Formats
//
// SVG keeps text as text, in Liberation Sans, Arial or another sans-serif font of the reader's machine. PNG has 300
// dots per inch. A PDF embeds the glyphs that it needs, has searchable text, and is dated 1 January 1970.
//
// chart_test.go and networks_test.go test the drawings and colours. figure_test.go tests the formats.
package figures
