// Package claims tests whether a run's results support the claims of the paper (paper.Claims), and shows the verdicts.
//
// The typical steps are:
//
//  1. New reads all claims of jobs/paper/claims.yaml. For each claim, evidenceOf makes the comparisons for which the
//     run has results (claimforms.go). New drops a claim if the run has less than a fifth of its comparisons.
//  2. A claim names a form, such as "best" or "rises". The form (claimForms) says which values to compare, and computes
//     a margin for each trial. A positive margin supports the claim.
//  3. claimTest.test tests the margins over the trials. The function correct then applies Holm's correction to all
//     tests of a claim.
//  4. rule turns the tests into a verdict: holds, holds in part, fails, or undecided (claims.go).
//  5. Claims.Line counts the claims that hold. Claims.Tables makes the tables for people and for programs.
//
// Two measures are computed from stored models (claimmodels.go).
//
// # What is promised
//
// Each comparison is a two-sided paired t-test at 5 %, with Holm's correction over the claim's comparisons. A claim
// fails if any difference is significant in the opposite direction. A claim holds if all mean differences are as
// claimed and at least one difference is significant. It holds only in part if the run lacks some comparisons. Any
// other claim is undecided, as is a claim with fewer than stats.EnoughTrials trials.
//
// claims_test.go tests forms and verdicts on invented results (package reportstest), and compares printed tables with
// the files in testdata.
package claims
