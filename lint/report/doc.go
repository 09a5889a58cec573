// Package report writes findings: one file a form (text, JSON, SARIF, GitHub
// annotations, JUnit XML, Markdown), and the rules as text, JSON and pages.
//
// It takes what package lint found as it is: it must not judge, drop or reword a
// finding, nor read files or networks.
package report
