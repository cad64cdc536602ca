// Package source has what reports are made from, and what they give.
//
// A Source is a merged run: the summary by the rule of the reports, and the summaries by the rules that
// published numbers and curves are read by. It finds the datasets, methods, series, checkpoints and
// trials that a report shows, and the models that tasks have kept of what a rule chose.
//
// A Printer makes of it what a report prints: tables that have names and roles, figures, and warnings.
package source
