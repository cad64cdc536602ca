package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"sync"

	"graphda/jobs/reports/figures"
)

var (
	//go:embed assets/page.tmpl
	markup string
	//go:embed assets/page.css
	sheet string
	//go:embed assets/page.js
	script string
)

var style = sheet + ":root {\n" + figures.Themes() + "\n}\n"

var layout = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Parse(markup)) // constant, so it cannot fail
})

// Policy returns the page's Content-Security-Policy. It allows style attributes, because figures need them. They can
// load nothing, because default-src blocks every address.
func (v *view) Policy() string {
	return fmt.Sprintf("default-src 'none'; style-src %s; style-src-attr 'unsafe-inline'; script-src %s; img-src data:; "+
		"base-uri 'none'; form-action 'none'", hash(style), hash(script))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Style returns the page's style sheet. Policy has the hash of these bytes.
func (v *view) Style() template.CSS { return template.CSS(style) }

// Script returns the page's script. Policy has the hash of these bytes.
func (v *view) Script() template.JS { return template.JS(script) }

// Write writes the page as HTML.
func (p *Page) Write(w io.Writer) error {
	var b bytes.Buffer
	if err := layout().Execute(&b, p.view()); err != nil {
		return fmt.Errorf("page: %w", err)
	}
	_, err := b.WriteTo(w)
	return err
}
