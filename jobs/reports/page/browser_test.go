package page

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"graphda/jobs/jobstest"
)

// A window is a browser's for a test.
type window struct {
	width int // CSS pixels
	dark  bool
	loud  bool // messages on the console are expected
}

// chromium finds the browser, or skips the test.
func chromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("needs Chromium; as root on Debian, .ci/browser.sh installs it")
	return ""
}

// run opens the page, runs the body of an async function in it once it is loaded, and
// decodes what that returns into out. Errors of the page's own scripts and violations of
// its policy fail the test.
//
// The policy stays as it is but for the hash of the added script. The page stands in a
// frame, since a window of Chromium cannot be narrower than 500 pixels.
func (w window) run(t *testing.T, page, body string, out any) {
	t.Helper()
	browser := chromium(t)
	added := `'use strict';
const problems = [];
addEventListener('error', (e) => problems.push(String(e.message)));
addEventListener('unhandledrejection', (e) => problems.push(String(e.reason)));
addEventListener('securitypolicyviolation', (e) => problems.push('policy: ' + e.effectiveDirective + ' ' + e.blockedURI));
addEventListener('load', async () => {
  const outcome = {problems};
  try {
    outcome.value = await (async () => {` + body + `})();
  } catch (e) {
    problems.push(String(e));
  }
  const pre = parent.document.createElement('pre');
  pre.id = 'outcome';
  pre.textContent = JSON.stringify(outcome);
  parent.document.body.replaceChildren(pre);
});`
	own := html.EscapeString(hash(script))
	own = strings.ReplaceAll(own, "+", "&#43;") // html/template escapes more
	if strings.Count(page, own) != 1 {
		t.Fatalf("the policy with %s is not there", own)
	}
	page = strings.Replace(page, own, own+" "+html.EscapeString(hash(added)), 1)
	page = strings.Replace(page, "<title>", "<script>"+added+"</script><title>", 1)
	framed := fmt.Sprintf(`<!DOCTYPE html><meta charset="utf-8"><title>frame</title><iframe style="border:0" width="%d" height="800" srcdoc="%s"></iframe>`,
		w.width, html.EscapeString(page))

	dir := jobstest.Must1(os.MkdirTemp("", "page"))
	t.Cleanup(func() { os.RemoveAll(dir) }) // helpers of the browser may outlive it and write; no matter
	file := filepath.Join(dir, "page.html")
	must(t, os.WriteFile(file, []byte(framed), 0o666))
	theme := "1"
	if w.dark {
		theme = "0"
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--no-first-run", "--user-data-dir="+filepath.Join(dir, "profile"), "--blink-settings=preferredColorScheme="+theme,
		"--enable-logging=stderr", "--window-size=1400,900", "--virtual-time-budget=20000", "--dump-dom", "file://"+file)
	cmd.WaitDelay = 5 * time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", browser, err, stderr.String())
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") && !w.loud {
			t.Errorf("console: %s", line)
		}
	}
	match := outcomes.FindStringSubmatch(stdout.String())
	if match == nil {
		t.Fatalf("%s reports nothing\n%s", browser, stderr.String())
	}
	var outcome struct {
		Problems []string
		Value    json.RawMessage
	}
	must(t, json.Unmarshal([]byte(html.UnescapeString(match[1])), &outcome))
	for _, p := range outcome.Problems {
		t.Errorf("in the page: %s", p)
	}
	if outcome.Value == nil {
		t.Fatal("the script returned nothing")
	}
	must(t, json.Unmarshal(outcome.Value, out))
}

var outcomes = regexp.MustCompile(`(?s)<pre id="outcome">(.*?)</pre>`)
