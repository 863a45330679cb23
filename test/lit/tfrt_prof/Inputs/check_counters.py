"""Checks a recording with counters: each counter that the doctor says this machine has is in the analysis and in the
database, each other one is named with the doctor's reason and remedy.
usage: check_counters.py ANALYSIS.json QUERY.json DOCTOR.json"""
import json
import sys

analysis, query, doctor = (json.load(open(path)) for path in sys.argv[1:4])
PREFIX = "counter of kernels "
states = {row[0].removeprefix(PREFIX): row[1:] for row in doctor["sections"][0]["tables"][0]["rows"]
          if row[0].startswith(PREFIX)}
assert len(states) == 6, states
has = {name for name, (state, _) in states.items() if state == "counts"}

section, = analysis["sections"]
assert section["id"] == "kernel-counters", section
doubts = analysis["doubts"] + [doubt for table in section["tables"] for doubt in table["doubts"]]
for name in states.keys() - has:
    reason, remedy = states[name]
    assert any(name in doubt and reason in doubt and remedy in doubt for doubt in doubts), (name, doubts)
counted = {row[1] for row in query["sections"][0]["tables"][0]["rows"]}
assert counted == has, (counted, has)
if has:
    table, = section["tables"]
    columns = [column["name"] for column in table["columns"]]
    for name in states:
        assert (name.replace("_", " ") in columns) == (name in has), (name, columns)
    rows = {row[0]: dict(zip(columns, row)) for row in table["rows"]}
    assert rows["graph.relu"]["calls"] > 0, rows
else:
    assert "it needs runs at level metrics" in section["text"], section
