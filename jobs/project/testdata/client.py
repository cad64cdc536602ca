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
