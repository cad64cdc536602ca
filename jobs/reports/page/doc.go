// Package page writes a report as one HTML page, or as Markdown. The page needs no network. It needs a script only to
// sort tables and to switch to dark colours. Data files lie beside the page.
//
// Other packages, which know what was run, fill a Page. This package only lays it out, in this order: title, answer,
// warnings, lead, contents, sections, facts. It uses no clock and no random numbers: the same Page gives the same
// bytes.
//
// # What the reader gets
//
//   - The answer and the warnings before all else, never folded.
//   - Figures in panels side by side, or below each other on a narrow screen, so that letters stay legible
//     (Panel.Least).
//   - Tables that a click on a heading sorts: ascending, then descending, then in the original order. Numbers sort by
//     their exact values, not by the printed text. In a column of numbers, blanks and words come last. Rows of one
//     group (Table.PerGroup) move together.
//   - Marks that need no colours: the best value of a column is bold, and a value that differs from the published value
//     has a "!". Screen readers read words instead of these marks.
//   - The data of every table and figure as CSV files beside the page. Small files are also inside the page.
//   - Light or dark colours by the system's setting. A button changes them until the page is closed. Figures change
//     with the page. In print everything is light and unfolded.
//
// # What keeps it closed
//
// A Content-Security-Policy allows only the page's style sheet and script, by their hashes, and images inside the
// page. Texts are escaped by html/template. Drawings of package figures are inserted unchanged. Their ids begin
// with the figure's name and the panel's number, because all figures share the page's ids.
package page
