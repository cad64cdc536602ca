// Package claims tests whether the results of a run support the claims of the paper (paper.Claims), and makes a table
// of the verdicts.
//
// The typical steps are:
//
//  1. New goes through all claims of jobs/paper/claims.yaml. evidenceOf makes the comparisons of a claim for which the
//     run has results (claimforms.go). A run with less than a fifth of a claim's comparisons decides nothing about it.
//  2. A claim names a form, such as "best" or "rises". The form (claimForms) says which values are compared, and turns
//     each trial into a margin: positive where the trial is as claimed.
//  3. claimTest.test tests the margins over the trials, and correct corrects the tests of a claim for their number.
//  4. rule makes a verdict of the tests: holds, holds in part, fails, or undecided (claims.go).
//  5. Claims.Line says in one line how many claims hold. Claims.Tables makes the tables for people and for programs.
//
// The main types are Claims; decision, a claim with its verdict; claimForm, a kind of comparison; and claimTest, one
// comparison. A few measures need models that were kept instead of rows: the angle to the true weights, and features
// that are isolated from the true ones (claimmodels.go).
//
// # What is promised
//
// All claims are judged in the same way, whatever their form. Each comparison is a paired t-test, two-sided, with
// Holm's correction over the claim's comparisons, at 5 %. A claim fails if any comparison is significantly the other
// way round. It holds if all mean differences are as claimed and at least one is significant. It holds in part if the
// run lacks some comparisons. Everything else, and everything with fewer than stats.EnoughTrials trials, is undecided.
//
// claims_test.go tests forms and verdicts on invented results of jobs/reports/reportstest, and compares the printed
// tables with the files in testdata.
package claims
