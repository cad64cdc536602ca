// Package figures draws the figures of a report as SVG, PNG and PDF and writes the data
// behind them as CSV. It is pure drawing: it takes finished numbers and names, and knows
// nothing of runs, methods or statistics.
//
// Four kinds of figures fulfil the interface Figure:
//
//   - Chart: lines with error bars, in a grid of panels;
//   - Pictures: a table of images, such as models on a grid of pixels;
//   - Networks: a table of node-link pictures;
//   - Ranking: a critical-difference diagram of mean ranks.
//
// # What is promised
//
// The same figure gives the same bytes: there is no clock, no order of maps and no
// random number in it. A layout of a network may differ in its last digits
// between processors, since some of them fuse multiplications and additions.
//
// A method looks the same in every figure: colour, dashes and marker belong to its key
// (Line.Key), see styles. Colours are told apart with the usual kinds of colour blindness,
// and where they are not, as in a grey print, markers are.
//
// Points that are no finite number are gaps, and a panel without a point says so. A table of cells
// has a name for each of its rows and columns.
//
// # Formats
//
// A page places the pieces of a figure by itself (Figure.Parts, Piece.Inline); a file has them in a
// table. Text in SVG is text, in Liberation Sans, Arial or whatever sans-serif font is there. PNG has
// 300 dots per inch. PDF embeds the glyphs it needs, its text can be searched, and its date is the epoch.
package figures
