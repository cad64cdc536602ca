package figures

import (
	"image/color"
	"math"
	"strings"
	"testing"
)

// linear returns the amounts of light of a colour.
func linear(c color.NRGBA) (rgb [3]float64) {
	for i, v := range []uint8{c.R, c.G, c.B} {
		s := float64(v) / 255
		if rgb[i] = s / 12.92; s > 0.04045 {
			rgb[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return rgb
}

func times(m [3][3]float64, v [3]float64) (out [3]float64) {
	for i := range m {
		out[i] = m[i][0]*v[0] + m[i][1]*v[1] + m[i][2]*v[2]
	}
	return out
}

// deuteranope is what somebody without green cones sees (Machado, Oliveira, Fernandes 2009).
func deuteranope(rgb [3]float64) [3]float64 {
	rgb = times([3][3]float64{
		{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}, rgb)
	for i, v := range rgb {
		rgb[i] = max(0, min(1, v))
	}
	return rgb
}

// lab is CIELAB under D65.
func lab(rgb [3]float64) [3]float64 {
	xyz := times([3][3]float64{
		{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}, rgb)
	for i, white := range []float64{0.95047, 1, 1.08883} {
		t := xyz[i] / white
		if xyz[i] = 7.787*t + 16.0/116; t > 0.008856 {
			xyz[i] = math.Cbrt(t)
		}
	}
	return [3]float64{116*xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])}
}

// difference is CIEDE2000 (Sharma, Wu, Dalal 2005).
func difference(p, q [3]float64) float64 {
	pow7 := func(c float64) float64 { return math.Sqrt(math.Pow(c, 7) / (math.Pow(c, 7) + math.Pow(25, 7))) }
	grow := 1.5 - 0.5*pow7((math.Hypot(p[1], p[2])+math.Hypot(q[1], q[2]))/2)
	c1, c2 := math.Hypot(grow*p[1], p[2]), math.Hypot(grow*q[1], q[2])
	angle := func(l [3]float64) float64 { return math.Mod(math.Atan2(l[2], grow*l[1])*180/math.Pi+360, 360) }
	h1, h2 := angle(p), angle(q)
	turn, hue := h2-h1, (h1+h2)/2
	switch {
	case c1*c2 == 0:
		turn, hue = 0, h1+h2
	case math.Abs(turn) > 180:
		turn -= math.Copysign(360, turn)
		hue = math.Mod(hue+180, 360)
	}
	l, c := (p[0]+q[0])/2, (c1+c2)/2
	cos := func(degrees float64) float64 { return math.Cos(degrees * math.Pi / 180) }
	t := 1 - 0.17*cos(hue-30) + 0.24*cos(2*hue) + 0.32*cos(3*hue+6) - 0.20*cos(4*hue-63)
	square := (l - 50) * (l - 50)
	dl := (q[0] - p[0]) / (1 + 0.015*square/math.Sqrt(20+square))
	dc := (c2 - c1) / (1 + 0.045*c)
	dh := 2 * math.Sqrt(c1*c2) * math.Sin(turn*math.Pi/360) / (1 + 0.015*c*t)
	rotate := -2 * pow7(c) * math.Sin(60*math.Exp(-math.Pow((hue-275)/25, 2))*math.Pi/180)
	return math.Sqrt(dl*dl + dc*dc + dh*dh + rotate*dc*dh)
}

// Colours that may share a panel are told apart by all, on white and on a dark page, and are seen
// there.
func TestColoursAreToldApart(t *testing.T) {
	var methods []color.NRGBA
	for _, s := range styles {
		methods = append(methods, s.color)
	}
	for name, panel := range map[string][]color.NRGBA{"methods": methods, "nodes": {targetColor, otherColor}} {
		for i, a := range panel {
			for _, b := range panel[:i] {
				if a == b {
					continue // two lines of black, by their dashes
				}
				for _, dark := range []bool{false, true} {
					p, q := a, b
					if dark {
						p, q = onDark[a], onDark[b]
					}
					seen := difference(lab(linear(p)), lab(linear(q)))
					blind := difference(lab(deuteranope(linear(p))), lab(deuteranope(linear(q))))
					if min(seen, blind) < 15 {
						t.Errorf("%s, dark %t: %v and %v differ by %.1f, for a deuteranope by %.1f; want 15", name, dark, p, q, seen,
							blind)
					}
				}
			}
		}
	}
	if want := "--fD55E00: light-dark(#D55E00, #FF8A3D);"; !strings.Contains(Themes(), want) {
		t.Errorf("the themes lack %s:\n%s", want, Themes())
	}
	paper := lab(linear(color.NRGBA{0x17, 0x19, 0x1d, 0xff}))[0]
	for _, c := range append(methods, ink, faint, targetColor, otherColor) {
		if l := lab(linear(onDark[c]))[0]; l-paper < 35 {
			t.Errorf("%v is %v on dark, %.0f lighter than its paper; want 35", c, onDark[c], l-paper)
		}
	}
}
