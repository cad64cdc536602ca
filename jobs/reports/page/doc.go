// Package page writes a report as one HTML page, or as Markdown. The page needs no network. It needs a script only to
// sort tables and to switch to dark colours. Data files are next to the page.
//
// Other packages fill a Page. This package only lays it out, in this order: title, answer, warnings, lead, contents,
// sections, facts. The same Page gives the same bytes.
//
// # What the reader gets
//
//  1. The answer and the warnings come first and are never folded.
//  2. The panels of a figure are side by side. On a narrow screen they are below each other, so that letters stay
//     legible (Panel.Least).
//  3. A click on a heading sorts a table in ascending order. The second click sorts in descending order, and the third
//     restores the original order. Numbers sort by their exact values. In a column of numbers, blanks and words come
//     last. Rows of one group (Table.PerGroup) move together.
//  4. Marks need no colours. The best value of a column is bold, and a value that differs from the published value has
//     a "!". Screen readers read words instead of these marks.
//  5. Every table and figure has its data in a CSV file next to the page. Small files are also inside the page.
//  6. Colours are light or dark, as the system's setting says. A button changes the colours, also of figures, until
//     the reader closes the page. In print everything is light and unfolded.
//
// # Security
//
// A Content-Security-Policy allows only the page's style sheet and script, by their hashes, and images inside the
// page. html/template escapes texts. Drawings of package figures are inserted unchanged. Their ids begin with the
// figure's name and the panel's number, because all figures share the page's ids.
package page
