// Package page writes a report as one HTML page, or as Markdown. The page needs no network. Its script only sorts
// tables and switches colours. Data files are next to the page.
//
// The typical steps are:
//
//  1. Fill a Page with Sections. A Section has Tables and Figures, and Draw makes a Figure.
//  2. Write the page with Page.Write as HTML, or with Page.Markdown.
//
// The same Page gives the same bytes. page_test.go and table_test.go test the HTML. behaviour_test.go tests the page in
// a browser.
//
// # What the reader gets
//
//  1. The answer and the warnings come first. They are never folded.
//  2. The panels of a figure are side by side. On a narrow screen they are below each other, so that letters stay
//     legible.
//  3. Clicks on a heading sort a table in ascending, descending and original order. Numbers sort by their exact values.
//     In a column of numbers, blanks and words come last. Rows of one group (Table.PerGroup) move together.
//  4. Marks need no colours. The best value of a column is bold. A value that differs from the published value has a
//     "!". Screen readers read words instead of these marks.
//  5. Each table and figure has a CSV file next to the page. Small files are also inside the page.
//  6. Colours are light or dark, as the system says. A button changes them until the reader closes the page. In print
//     everything is light and unfolded.
//
// # Security
//
// A Content-Security-Policy allows only the page's own style sheet, script and images. html/template escapes texts. The
// drawings of package figures are inserted unchanged. Each id in a drawing begins with the figure's name and the
// panel's number, so that ids are unique on the page.
package page
