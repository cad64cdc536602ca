//go:build !linux

package large

func askForHugePages([]byte) {}
