"""Reads the exports of a folder back with the tools of Python that they are for; prints what is not as expected, as a JSON list.

The folder has graph.EXTENSION for each format, and expected.json: nodes (id, summary) and edges (from, to, type). A second argument names
a folder with the XML schema of GEXF 1.3.
"""

import collections
import io
import json
import pathlib
import sys

import networkx
import prov.model

folder = pathlib.Path(sys.argv[1])
expected = json.loads((folder / "expected.json").read_text())
SUMMARIES = {node["id"]: node["summary"] for node in expected["nodes"]}
EDGES = collections.Counter((edge["from"], edge["to"], edge["type"]) for edge in expected["edges"])
faults = []


def expect(what, found, wanted):
    if found != wanted:
        faults.append(f"{what}: {str(found)[:300]} in place of {str(wanted)[:300]}")


def networkx_gexf():
    # networkx knows dates and numbers as times, and no instants.
    text = (folder / "graph.gexf").read_bytes().replace(b'timeformat="dateTime"', b'timeformat="date"')
    return networkx.read_gexf(io.BytesIO(text), version="1.3")


READERS = {
    "graphml": lambda: networkx.read_graphml(folder / "graph.graphml"),
    "gexf": networkx_gexf,
    "cytoscape": lambda: networkx.cytoscape_graph(json.loads((folder / "graph.cyjs").read_text())),
}
for name, read in READERS.items():
    graph = read()
    expect(f"{name}: nodes", graph.number_of_nodes(), len(SUMMARIES))
    expect(f"{name}: edges", graph.number_of_edges(), EDGES.total())
    expect(f"{name}: summaries", dict(graph.nodes(data="summary")), SUMMARIES)
    found = collections.Counter((a, b, data["type"]) for a, b, data in graph.edges(data=True))
    expect(f"{name}: ends and types", found, EDGES)

document = prov.model.ProvDocument.deserialize(str(folder / "graph.provjson"), format="json")
again = prov.model.ProvDocument.deserialize(content=document.serialize(format="json"), format="json")
expect("prov-json: round trip equal", document == again, True)
notation = prov.model.ProvDocument.deserialize(str(folder / "graph.provn"), format="provn")
expect("prov-n: the same as prov-json", notation == document, True)
labels = collections.Counter(
    next(iter(record.get_attribute("prov:label")))
    for record in document.get_records(prov.model.ProvEntity)
    if record.get_attribute("prov:label")
)
expect("prov-json: labels", labels, collections.Counter(SUMMARIES.values()))
counts = collections.Counter(type(record).__name__ for record in document.get_records())
of_type = collections.Counter(edge["type"] for edge in expected["edges"])
evidence = of_type["DERIVED_FROM"] + of_type["CONCLUDED_FROM"] + of_type["SUPPORTED_BY"]
influence = sum(of_type[kind] for kind in ("CONTRADICTS", "SUBJECT", "OBJECT", "ABOUT", "RELATES", "FOLLOWS", "PRECEDED_BY"))
expect("prov-json: derivations", counts["ProvDerivation"], evidence + of_type["SUPERSEDED_BY"])
expect("prov-json: usages", counts["ProvUsage"], evidence + of_type["CONTAINS"])
expect("prov-json: members", counts["ProvMembership"], of_type["CONTAINS"])
expect("prov-json: alternates", counts["ProvAlternate"], of_type["SAME_AS"])
expect("prov-json: influences", counts["ProvInfluence"], influence)

if len(sys.argv) > 2:
    import xmlschema

    schema = xmlschema.XMLSchema(pathlib.Path(sys.argv[2]) / "gexf.xsd")
    expect("gexf: valid", [str(error.reason) for error in schema.iter_errors(folder / "graph.gexf")][:3], [])

print(json.dumps({"faults": faults, "prov": counts}))
