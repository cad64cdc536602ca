# Asks the client of docs/clients for the golden forests; with numpy, where it is, in arrays of both sizes of integers.
import array
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
        root, clusters = (numpy.int64(c["root"]), numpy.int32(c["clusters"])) if edges is not c["edges"] else (c["root"], c["clusters"])
        nodes, kept = pcst.pcst_fast(edges, prizes, costs, root, clusters, c["pruning"], 0)
        if nodes != c["want_nodes"] or kept != c["want_edges"]:
            sys.exit("case %d: %s %s, want %s %s" % (i, nodes, kept, c["want_nodes"], c["want_edges"]))
        if len(pcst.graphs) > 8:
            sys.exit("%d processes" % len(pcst.graphs))

# Costs may be any array, and a process that has ended is started again.
for _ in range(2):
    if pcst.pcst_fast([(0, 1), (1, 2)], array.array("f", [0, 0, 3]), array.array("f", [1, 1]), -1, 1) != ([2], []):
        sys.exit("arrays of the standard library are misread")
    for graph in pcst.graphs.values():
        graph.process.kill()
        graph.process.wait()

# As the library of this signature is called with a root: one cluster. What is wrong is said.
if pcst.pcst_fast([(0, 1), (1, 2)], [0, 0, 3], [1, 1], 0, 1, "GW", 0) != ([0, 1, 2], [0, 1]):
    sys.exit("the rooted tree of one cluster is wrong")
for edges, prizes, want in [([(0, 1)], [1, -1], "below 0"), ([(0, 2)], [1, 1], "none of 0 to 1")]:
    try:
        sys.exit("taken: %s" % (pcst.pcst_fast(edges, prizes, [1]),))
    except ValueError as e:
        if want not in str(e):
            sys.exit(str(e))
