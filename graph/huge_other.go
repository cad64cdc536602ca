//go:build !linux

package graph

func askForHugePages([]byte) {}
