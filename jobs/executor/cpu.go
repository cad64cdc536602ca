package executor

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/sys/cpu"
)

// CPUKind names the kind of this processor, such as "amd64 v1 avx fma". Processors of the same kind compute exactly the
// same models. Processors of different kinds may round differently, because Go chooses instructions by kind.
var CPUKind = sync.OnceValue(func() string {
	parts := []string{runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GO"+strings.ToUpper(runtime.GOARCH) {
				parts = append(parts, s.Value)
			}
		}
	}
	for _, feature := range []struct {
		name string
		has  bool
	}{
		{"avx", cpu.X86.HasAVX}, {"avx2", cpu.X86.HasAVX2}, {"avx512", cpu.X86.HasAVX512F}, {"fma", cpu.X86.HasFMA},
		{"vx", cpu.S390X.HasVX}, {"simd", cpu.ARM64.HasASIMD},
	} {
		if feature.has {
			parts = append(parts, feature.name)
		}
	}
	return strings.Join(parts, " ")
})
