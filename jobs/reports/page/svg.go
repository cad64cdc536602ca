package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"graphda/jobs/reports/figures"
)

// shapes are the elements of a still picture. Others would act, style the page, or end
// the picture in the eyes of an HTML parser.
var shapes = []string{
	"circle", "clipPath", "defs", "desc", "ellipse", "g", "image", "line", "linearGradient", "marker", "mask", "path",
	"pattern", "polygon", "polyline", "radialGradient", "rect", "stop", "svg", "symbol", "text", "textPath", "title",
	"tspan", "use",
}

// reference finds an id inside an attribute such as fill="url(#g1)".
var reference = regexp.MustCompile(`(?i)url\(\s*(['"]?)([^)'"]*)['"]?\s*\)`)

// inlineSVG writes a picture for use inside HTML: without prolog, comments and name spaces,
// with a prefix to its ids, and with a name for those who do not see it. It also returns what has become of
// the ids.
func inlineSVG(svg []byte, prefix, name string) (template.HTML, map[string]string, error) {
	in := &inliner{prefix: prefix + "--", name: name, decoder: xml.NewDecoder(bytes.NewReader(svg)),
		ids: map[string]string{}}
	for {
		token, err := in.decoder.RawToken()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = in.write(token)
		}
		if err != nil {
			line, _ := in.decoder.InputPos()
			return "", nil, fmt.Errorf("SVG, line %d: %w", line, err)
		}
	}
	if len(in.open) > 0 {
		return "", nil, fmt.Errorf("SVG: element %s is not closed", in.open[len(in.open)-1])
	}
	if in.out.Len() == 0 {
		return "", nil, errors.New("SVG: there is no element svg")
	}
	return template.HTML(in.out.String()), in.ids, nil
}

type inliner struct {
	prefix, name string
	decoder      *xml.Decoder
	open         []string // elements
	out          strings.Builder
	ids          map[string]string // as they are written, by what they were
}

func (in *inliner) write(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return in.start(t)
	case xml.EndElement:
		name := qualified(t.Name)
		if len(in.open) == 0 || in.open[len(in.open)-1] != name {
			return fmt.Errorf("</%s> closes no element", name)
		}
		in.open = in.open[:len(in.open)-1]
		in.out.WriteString("</" + name + ">")
	case xml.CharData:
		if len(in.open) > 0 {
			in.out.WriteString(html.EscapeString(string(t)))
		} else if len(bytes.TrimSpace(t)) > 0 {
			return errors.New("text outside the picture")
		}
	}
	return nil // comments, instructions and document types are left out
}

func (in *inliner) start(t xml.StartElement) error {
	name := qualified(t.Name)
	switch {
	case !slices.Contains(shapes, name):
		return fmt.Errorf("element %s is not part of a still picture; allowed: %s", name, strings.Join(shapes, ", "))
	case len(in.open) == 0 && name != "svg":
		return fmt.Errorf("the first element is %s, not svg", name)
	case len(in.open) == 0 && in.out.Len() > 0:
		return errors.New("a second picture")
	}
	root := len(in.open) == 0
	in.open = append(in.open, name)
	in.out.WriteString("<" + name)
	if root {
		in.attribute("role", "img")
		in.attribute("aria-label", in.name)
	}
	seen := map[string]bool{}
	for _, a := range t.Attr {
		key := qualified(a.Name)
		switch {
		case key == "xmlns" || a.Name.Space != "" && key != "xlink:href":
			continue // name spaces; and what is of one, but for links, is an editor's
		case root && (key == "role" || strings.HasPrefix(key, "aria-")):
			continue
		case strings.HasPrefix(strings.ToLower(key), "on"):
			return fmt.Errorf("attribute %s: a still picture has no script", key)
		case key == "xlink:href":
			key = "href"
		}
		if seen[key] {
			return fmt.Errorf("element %s has two attributes %s", name, key)
		}
		seen[key] = true
		value, err := in.local(key, a.Value)
		if err != nil {
			return fmt.Errorf("attribute %s: %w", key, err)
		}
		in.attribute(key, value)
	}
	if root && !seen["viewBox"] {
		return in.scalable(t.Attr)
	}
	in.out.WriteString(">")
	return nil
}

// scalable gives a picture with a size but no view box one.
func (in *inliner) scalable(attributes []xml.Attr) error {
	var size [2]float64
	for _, a := range attributes {
		if i := slices.Index([]string{"width", "height"}, a.Name.Local); i >= 0 && a.Name.Space == "" {
			var err error
			if size[i], err = strconv.ParseFloat(strings.TrimSuffix(a.Value, "px"), 64); err != nil {
				return fmt.Errorf("attribute %s is %q, not a number of pixels, and there is no viewBox", a.Name.Local, a.Value)
			}
		}
	}
	if !(size[0] > 0 && size[1] > 0) {
		return errors.New("the picture has neither a viewBox nor a width and height")
	}
	in.attribute("viewBox", fmt.Sprintf("0 0 %g %g", size[0], size[1]))
	in.out.WriteString(">")
	return nil
}

// themed finds the colours of an attribute style that change on a dark page.
var themed = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for _, name := range themeName.FindAllString(figures.Themes(), -1) {
		colour := name[len("--f"):]
		pairs = append(pairs, "#"+colour, "var("+name+")", "#"+translucent(colour), "var("+name+")")
	}
	return strings.NewReplacer(pairs...)
})

// translucent is how a drawing library writes a colour that shines through: rounded down.
func translucent(colour string) string {
	v, err := strconv.ParseUint(colour, 16, 32)
	if err != nil {
		return colour
	}
	for shift := 0; shift < 24; shift += 8 {
		if v>>shift&0xff > 0 {
			v -= 1 << shift
		}
	}
	return fmt.Sprintf("%06X", v)
}

var themeName = regexp.MustCompile(`--f[0-9A-F]{6}`)

func (in *inliner) attribute(name, value string) {
	switch name {
	case "style":
		value = themed().Replace(value)
	case "d":
		value = shorten(value)
	}
	in.out.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
}

// local puts the prefix before ids and references, and refuses references to elsewhere.
func (in *inliner) local(key, value string) (string, error) {
	switch key {
	case "id":
		in.ids[value] = in.prefix + value
		return in.prefix + value, nil
	case "href":
		if id, ok := strings.CutPrefix(value, "#"); ok {
			return "#" + in.prefix + id, nil
		}
		if !strings.HasPrefix(value, "data:image/") {
			return "", fmt.Errorf("%.60q is outside the picture", value)
		}
		return value, nil
	case "aria-labelledby", "aria-describedby":
		ids := strings.Fields(value)
		for i := range ids {
			ids[i] = in.prefix + ids[i]
		}
		return strings.Join(ids, " "), nil
	}
	var err error
	value = reference.ReplaceAllStringFunc(value, func(match string) string {
		to := reference.FindStringSubmatch(match)[2]
		id, ok := strings.CutPrefix(strings.TrimSpace(to), "#")
		if !ok && err == nil {
			err = fmt.Errorf("%.60q is outside the picture", to)
		}
		return "url(#" + in.prefix + id + ")"
	})
	return value, err
}

// qualified is a name as written.
func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
