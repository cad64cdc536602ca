package executor

import (
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"golang.org/x/sys/cpu"
)

// CPUKind names the kind of this processor, as "amd64 v1 avx fma": what the compiler and the
// mathematical functions of Go choose their instructions by. Processors of one kind give models with the
// same bits. Those of two kinds round otherwise, in exp with and without fused multiplication for one.
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
