// Package page writes a report as one HTML page, or as Markdown. The page needs no network. It needs a script only to
// sort tables and to switch to dark colours. Files with its data lie beside it.
//
// A Page is filled by packages that know what was run. This package only lays it out, in this order: title, answer,
// warnings, lead, contents, sections, facts. It knows no clock and no random numbers: the same Page gives the same
// bytes.
//
// # What the reader gets
//
//   - The answer and the warnings before all else, never folded.
//   - Figures in panels that stand side by side, or below each other on a narrow screen, so that their letters stay
//     legible (Panel.Least).
//   - Tables that a click on a heading sorts: up, down, and back to the order they came in. Numbers sort by their full
//     precision, not by what is printed; blanks and words among them stay last. Rows of one group (Table.PerGroup) move
//     together.
//   - Marks that do not need colours: the best value of a column is bold, one that lies off the published value has a
//     "!", and screen readers are told in words.
//   - The data of every table and figure as CSV, as files beside the page; small ones inside it too.
//   - Light or dark as the system asks, or as the button says until the page is closed; the colours of package figures
//     follow. In print everything is light and unfolded.
//
// # What keeps it closed
//
// A Content-Security-Policy allows nothing but the page's own style sheet and script, each by its hash, and images
// inside the page. Texts are escaped by html/template. Drawings of package figures stand in the page as they come;
// their ids begin with the figure's name and the panel's number, since all figures share the page's name space.
package page
