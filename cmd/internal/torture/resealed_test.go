package torture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"graphda/io/seal"
)

var (
	blank   = seal.Blank()
	mark    = blank[:strings.IndexByte(blank, '0')]
	seals   = regexp.MustCompile(regexp.QuoteMeta(mark) + "[0-9a-f]{64}")
	jsonVal = regexp.MustCompile(`"[a-z_]+": ?("[^"{}\n]*"|-?[0-9.e+]+|\[[^\[\]{}]*\]|\[\{|null|true|false)`)
)

// reseal updates the checksum of a changed content. A seal is not a signature, so anybody can do this.
func reseal(content []byte) []byte {
	content = seals.ReplaceAll(content, []byte(blank))
	sum := sha256.Sum256(content)
	return seals.ReplaceAll(content, []byte(mark+hex.EncodeToString(sum[:])))
}

// forge changes a value in the JSON of a plan. The length stays the same, so the file around it stays valid.
func forge(rng *rand.Rand, content []byte) damaged {
	all := jsonVal.FindAllSubmatchIndex(content, -1)
	if len(all) == 0 {
		return damage(rng, content)
	}
	at := all[rng.IntN(len(all))]
	from, to := at[2], at[3]
	values := []string{"[]", "null", "-1", "0", "999999999", `"../x"`, `""`, `"../../x"`, "[null]", "{}", "1e9", "[0,0]"}
	value := values[rng.IntN(len(values))]
	if len(value) > to-from {
		value = "0"
	}
	content = bytes.Clone(content)
	copy(content[from:to], value+strings.Repeat(" ", to-from-len(value)))
	return damaged{fmt.Sprintf("%s of %q", value, content[at[0]:from]), content}
}

// 1,000 files of each kind of this program were damaged or changed and sealed again. None causes a stack trace or
// too much memory, and no file appears outside the output folder.
func TestResealed(t *testing.T) {
	base := runs(t)
	files := append([]target{{"chosen rows", words("mine/chosen.parquet"), "", nil}}, targets...)
	cases(t, 1000*len(files), 10, func(t *testing.T, number int, rng *rand.Rand) string {
		outer := t.TempDir()
		dir := filepath.Join(outer, "a", "b", "c")
		must(t, os.MkdirAll(dir, 0o777))
		copyTree(t, base, dir)
		write(t, filepath.Join(dir, "mine", "chosen.parquet"), read(t, filepath.Join(dir, wanted, "data", "chosen.parquet")))
		f := files[number%len(files)]
		path := f.paths[rng.IntN(len(f.paths))]
		d := [](func(*rand.Rand, []byte) damaged){damage, forge}[rng.IntN(2)](rng, read(t, filepath.Join(dir, path)))
		write(t, filepath.Join(dir, path), reseal(d.content))
		before := filesBelow(t, outer)
		var o outcome
		switch {
		case strings.HasPrefix(path, "data/"):
			in(t, dir, "gdrun", "inspect", path)
			in(t, dir, "gdrun", cell...)
			o = in(t, dir, "gdrun", project...)
		case strings.HasPrefix(path, part):
			o = in(t, dir, "gdrun", "local", part)
		case strings.HasPrefix(path, whole):
			in(t, dir, "gdrun", "status", whole)
			in(t, dir, "gdrun", "local", whole)
			o = in(t, dir, "gdmerge", whole, "--allow-partial", "--out", "made/report")
		default:
			in(t, dir, "gdrun", "inspect", path)
			o = in(t, dir, "gdmerge", path, "--out", "made/report")
		}
		for name := range filesBelow(t, outer) {
			inside := strings.TrimPrefix(name, "a/b/c/")
			own := inside != name && (strings.HasPrefix(inside, "made/report/") || strings.HasPrefix(inside, whole+"/results/") ||
				strings.HasPrefix(inside, part+"/results/") || inside == "p.csv" || inside == "w.csv" || inside == ".graphda-files")
			if !before[name] && !own {
				t.Errorf("%s has appeared", name)
			}
		}
		if t.Failed() {
			t.Logf("%s: %s", path, d.what)
		}
		return f.name + ": " + done(o.code == 0)
	})
}

func filesBelow(t *testing.T, dir string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(dir, path)
			found[name] = true
		}
		return err
	}))
	return found
}
