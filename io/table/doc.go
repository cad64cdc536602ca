// Package table holds finished tables and lays them out as text, Markdown, LaTeX, CSV and
// Arrow; package page shows them in HTML.
//
// A Cell is a word or a Number, and a Number carries what is known of it (its deviation,
// interval and count of trials) to the last step: each format decides what it shows of it,
// and none reads a number back out of a text. Text, Markdown and LaTeX print a value as its
// Number says; CSV and Arrow hold it in full, with its deviation and interval in columns of
// their own.
//
// A format is a file with a Format and a line in formats.
package table
