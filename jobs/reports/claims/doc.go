// Package claims decides the paper's claims (paper.Claims) by the results of a run.
//
// A claim is data, and names a form (claimForms) that makes comparisons of it: margins, trial by
// trial, that are positive where it is as claimed. They are judged alike, whatever the form: see
// rulingNote. A run with less than a fifth of a claim's comparisons says nothing of it.
package claims
