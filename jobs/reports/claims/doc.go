// Package claims tests whether a run's results support the claims of the paper (paper.Claims), and shows the verdicts.
//
// The typical steps are:
//
//  1. New reads all claims of jobs/paper/claims.yaml. For each claim, evidenceOf makes the comparisons for which the
//     run has results (claimforms.go). With fewer than a fifth of all comparisons, the run does not decide the claim.
//  2. A claim names a form, such as "best" or "rises". The form (claimForms) says which values to compare. It computes
//     a margin for each trial. The margin is positive if the trial supports the claim.
//  3. claimTest.test tests the margins over the trials. Then correct() applies Holm's correction to the tests
//     of a claim.
//  4. rule turns the tests into a verdict: holds, holds in part, fails, or undecided (claims.go).
//  5. Claims.Line says in one line how many claims hold. Claims.Tables makes the tables for people and for programs.
//
// A decision is a claim with its verdict, a claimForm is a kind of comparison, and a claimTest is one comparison. Two
// measures need stored models instead of rows: the angle between w and the true weights, and the number of selected
// features that are not connected with true features (claimmodels.go).
//
// # What is promised
//
// The package judges all forms of claims in the same way. Each comparison is a two-sided paired t-test at 5 %, with
// Holm's correction over the claim's comparisons. A claim fails if any comparison is significant in the other
// direction. It holds if all mean differences are in the claimed direction and at least one is significant. It holds
// in part if the same is true, but the run lacks some comparisons. Otherwise, or with fewer than stats.EnoughTrials
// trials, it is undecided.
//
// claims_test.go tests forms and verdicts on invented results of jobs/reports/reportstest, and compares the
// printed tables with the files in testdata.
package claims
