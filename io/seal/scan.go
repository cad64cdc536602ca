package seal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// A scanner digests content as it passes and notes where the seals are. It keeps no
// more of the content than could be the beginning of a seal.
type scanner struct {
	sum    hash.Hash
	held   []byte  // what came last and is not digested yet
	offset int64   // of held in the content
	marks  []int64 // offsets of the digits of every seal
	broken bool    // a seal's prefix was seen without digits after it
}

func newScanner() *scanner { return &scanner{sum: sha256.New()} }

var blankDigits = bytes.Repeat([]byte("0"), digits)

// Write takes the next piece of the content. It never fails.
func (s *scanner) Write(p []byte) (int, error) {
	n := len(p)
	if len(s.held) > 0 {
		// Join what is held with as much of p as completes a seal. What is then still
		// to be held lies in p, unless p is short.
		head := min(len(p), len(prefix)+digits)
		rest := s.scan(append(s.held, p[:head]...))
		if len(rest) > head {
			s.held = append(s.held[:0], rest...)
			return n, nil
		}
		p = p[head-len(rest):]
	}
	s.held = append(s.held[:0], s.scan(p)...)
	return n, nil
}

// scan digests buf up to what could be the beginning of a seal, which it returns.
func (s *scanner) scan(buf []byte) (rest []byte) {
	end := s.offset + int64(len(buf))
	defer func() { s.offset = end - int64(len(rest)) }()
	for {
		i := bytes.Index(buf, []byte(prefix))
		if i < 0 {
			keep := min(len(buf), len(prefix)-1)
			s.sum.Write(buf[:len(buf)-keep])
			return buf[len(buf)-keep:]
		}
		if len(buf) < i+len(prefix)+digits {
			s.sum.Write(buf[:i])
			return buf[i:]
		}
		s.sum.Write(buf[:i+len(prefix)])
		buf = buf[i+len(prefix):]
		if !isHex(buf[:digits]) {
			s.broken = true
			continue
		}
		s.marks = append(s.marks, end-int64(len(buf)))
		s.sum.Write(blankDigits)
		buf = buf[digits:]
	}
}

// digest ends the content and returns its digest.
func (s *scanner) digest() string {
	if bytes.Contains(s.held, []byte(prefix)) { // the content ended inside the digits
		s.broken = true
	}
	s.sum.Write(s.held)
	s.held = nil
	return hex.EncodeToString(s.sum.Sum(nil))
}

// verify ends the content and returns its digest. Every seal in the content must agree with it.
func (s *scanner) verify(path string, content io.ReaderAt) (string, error) {
	digest, found := s.digest(), make([]byte, digits)
	damaged := s.broken
	for _, at := range s.marks {
		if _, err := content.ReadAt(found, at); err != nil {
			return "", err
		}
		damaged = damaged || string(found) != digest
	}
	if damaged {
		return "", fmt.Errorf("%s: %w", path, ErrDamaged)
	}
	return digest, nil
}

func isHex(s []byte) bool {
	for _, c := range s {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
