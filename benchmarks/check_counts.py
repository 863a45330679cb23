#!/usr/bin/env python3
"""Compares instructions per unit and allocations per run with those stored; fails on more.

usage: check_counts.py COUNTER STORED.json [--update]

COUNTER is the program tfrt_benchmark_counts. More than 5 % above the stored instructions, or any allocation
more than stored, is a failure; much fewer is a hint to store the new figures with --update.
"""

import argparse
import json
import pathlib
import sys

import counts

TOLERANCE = 0.05


def measure(counter):
    units = {case["name"]: case["units"] for case in counts.cases(counter)
             if case["deterministic"] and not case["name"].startswith("floor/")}
    instructions = counts.instructions(counter, list(units))
    allocations = counts.allocations(counter)
    return {name: {"instructions": round(instructions[name] / units[name], 1),
                   "allocations": allocations[name]} for name in units}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("counter")
    parser.add_argument("stored", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    measured = measure(options.counter)
    if options.update:
        lines = [f'  "{name}": {json.dumps(figures)}' for name, figures in measured.items()]
        options.stored.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        return 0
    stored = json.loads(options.stored.read_text())
    failures = 0
    for name in sorted(measured.keys() | stored.keys()):
        if name not in measured or name not in stored:
            print(f"FAIL {name}: only {'stored' if name in stored else 'measured'}")
            failures += 1
            continue
        new, old = measured[name], stored[name]
        change = new["instructions"] / old["instructions"] - 1
        worse = change > TOLERANCE or new["allocations"] > old["allocations"]
        failures += worse
        print(f"{'FAIL' if worse else 'ok  '} {name}: {new['instructions']} instructions "
              f"({change:+.1%}), {new['allocations']} allocations (stored {old['allocations']})")
    if failures:
        print(f"check_counts: {failures} cases got worse; --update stores new figures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
