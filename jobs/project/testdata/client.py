# Asks the client of docs/clients for the golden forests; with numpy, where it is, in arrays of both sizes of integers.
import json
import sys

import pcst

try:
    import numpy
except ImportError:
    numpy = None

for i, c in list(enumerate(json.load(open(sys.argv[1]))))[::5]:
    args = [(c["edges"], c["prizes"], c["costs"])]
    if numpy and i % 10 == 0:
        args += [(numpy.array(c["edges"], dtype=kind).reshape(-1, 2), numpy.array(c["prizes"]), numpy.array(c["costs"]))
                 for kind in ("int32", "int64")]
    for edges, prizes, costs in args:
        nodes, kept = pcst.pcst_fast(edges, prizes, costs, c["root"], c["clusters"], c["pruning"], 0)
        if nodes != c["want_nodes"] or kept != c["want_edges"]:
            sys.exit("case %d: %s %s, want %s %s" % (i, nodes, kept, c["want_nodes"], c["want_edges"]))
        if len(pcst.graphs) > 8:
            sys.exit("%d processes" % len(pcst.graphs))

# As the library of this signature is called with a root: one cluster. What is wrong is said.
if pcst.pcst_fast([(0, 1), (1, 2)], [0, 0, 3], [1, 1], 0, 1, "GW", 0) != ([0, 1, 2], [0, 1]):
    sys.exit("the rooted tree of one cluster is wrong")
for edges, prizes, want in [([(0, 1)], [1, -1], "below 0"), ([(0, 2)], [1, 1], "none of 0 to 1")]:
    try:
        sys.exit("taken: %s" % (pcst.pcst_fast(edges, prizes, [1]),))
    except ValueError as e:
        if want not in str(e):
            sys.exit(str(e))
