// Package reportstest has merged results with invented numbers, for tests of reports.
package reportstest
