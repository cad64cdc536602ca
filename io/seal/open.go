package seal

import (
	"fmt"
	"io"
	"os"

	"graphda/io/regular"
)

// OpenSealed opens a file after checking every byte of it as ReadSealed does, without
// holding it in memory, and returns its digest. The reader must not expect the check to
// hold for a file that is written again meanwhile.
func OpenSealed(path string) (f *os.File, digest string, err error) {
	if f, err = regular.Open(path); err != nil {
		return nil, "", err
	}
	defer func() {
		if err != nil {
			f.Close()
			f = nil
		}
	}()
	s := newScanner()
	if _, err = io.CopyBuffer(s, struct{ io.Reader }{f}, make([]byte, 1<<20)); err != nil {
		return nil, "", err
	}
	if digest, err = s.verify(path, f); err == nil && len(s.marks) == 0 {
		err = unsealed(path)
	}
	return f, digest, err
}

func unsealed(path string) error {
	return fmt.Errorf("%s: carries no checksum: it is damaged or was not written by graphda", path)
}
