"""Checks that a report as JSON has all analyses, each with a table of every model at every batch that it tells of."""
import json
import sys

sections = {section["id"]: section for section in json.load(open(sys.argv[1]))["sections"]}
EACH = ["layers", "layer-latency", "layer-types", "latency-by-type", "kernels", "kernels-by-name", "kernels-by-layer",
        "layer-work", "kernel-share"]
assert len(sections) == 23, list(sections)
for name in EACH:
    titles = [table["title"] for table in sections[name]["tables"]]
    for program in ("chain, batch 1", "chain, batch 2", "small, batch 1", "small, batch 2"):
        assert any(program in title for title in titles), (name, titles)
for name in ("batches", "models"):
    assert [len(table["rows"]) for table in sections[name]["tables"]] == [2, 2], name
rows = sections["recording"]["tables"][0]["rows"]
assert len(rows) == 2 * 2 * 3, rows
