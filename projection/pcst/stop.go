package pcst

import "math"

// A stop finds out when the growth may end, without counting active clusters.
type stop struct {
	alive     []int32   // clusters that were active at the last scan or later
	scanned   int64     // time of the last scan
	scans     int32     // number of scans by settled
	witnesses []witness // clusters that would die last according to the last scan, the latest death first
	at        int       // index in witnesses of the cluster that dies at the time guard
	few       bool      // whether fewer than a sixth of the nodes were active at the first scan
	over      bool      // whether settled has ended the growth
	guard     int64     // before this time, more than g clusters are certainly active
}

type witness struct {
	dies    int64
	cluster int32
}

// settled reports whether at most g clusters are active at time t. If more are active, the clusters that die last
// become new witnesses. Until the time guard, more than g active clusters contain witnesses. settled also drops dead
// clusters from s.stop.alive.
func (s *Solver) settled(t int64) bool {
	st := &s.stop
	st.scans++
	st.scanned = t
	st.witnesses = st.witnesses[:0]
	// With many witnesses, mergings of witnesses seldom require a new scan.
	most := min(s.opt.Clusters, len(s.nodes)) + 1 + 8<<min(st.scans/4, 20)
	k, floor := 0, int64(-1)
	for _, c := range st.alive {
		d := s.clusters[c].dies
		st.alive[k] = c
		k += int((t - d) >> 63 & 1)
		if d <= floor || d <= t {
			continue
		}
		if len(st.witnesses) < most {
			st.witnesses = append(st.witnesses, witness{d, c})
			st.witnessUp()
			if len(st.witnesses) == most {
				floor = st.witnesses[0].dies
			}
		} else {
			st.witnesses[0] = witness{d, c}
			st.witnessDown(most)
			floor = st.witnesses[0].dies
		}
	}
	st.alive = st.alive[:k]
	if st.scans == 1 {
		st.few = 6*k < len(s.nodes)
	}
	if len(st.witnesses) <= s.opt.Clusters {
		st.over = true
		return true
	}
	for _, w := range st.witnesses {
		s.clusters[w.cluster].witness = st.scans
	}
	for i := len(st.witnesses) - 1; i > 0; i-- { // heap sort: the latest death first
		st.witnesses[0], st.witnesses[i] = st.witnesses[i], st.witnesses[0]
		st.witnessDown(i)
	}
	st.at = s.opt.Clusters
	st.guard = st.witnesses[st.at].dies
	return false
}

// witnessUp moves the last witness to its place in the heap, with the first death at the top.
func (st *stop) witnessUp() {
	h := st.witnesses
	i := len(h) - 1
	x := h[i]
	for i > 0 && h[(i-1)/2].dies > x.dies {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = x
}

// witnessDown moves the first of n witnesses to its place in the heap.
func (st *stop) witnessDown(n int) {
	h := st.witnesses[:n]
	x := h[0]
	i := 0
	for {
		j := 2*i + 1
		if j >= n {
			break
		}
		if j+1 < n && h[j+1].dies < h[j].dies {
			j++
		}
		if h[j].dies >= x.dies {
			break
		}
		h[i] = h[j]
		i = j
	}
	h[i] = x
}

// dropWitness lowers guard when two witnesses, or a witness and the root's cluster, have merged.
func (st *stop) dropWitness() {
	st.at++
	if st.at < len(st.witnesses) {
		st.guard = st.witnesses[st.at].dies
	} else {
		st.guard = math.MinInt64
	}
}
