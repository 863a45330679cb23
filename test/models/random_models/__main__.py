"""Random valid models, whose results are those of ONNX Runtime with fast and with exact numerics; and invalid ones,
which are refused.

usage: python random_models --runner CONFORMANCE_RUNNER [--seed S] [--models N | --seconds N] [--narrow] [--findings
FOLDER]

The model N of a seed is always the same: `--seed S --first N --models 1` makes it again. With --narrow, models are
quantised or of half floats, and some have a scale that is none, which is an error with the node's name. Each failure is
minimised, printed and, with --findings, written there as a case of ONNX's own format.
"""

import argparse
import collections
import pathlib
import re
import sys
import time

import onnx

import invalid
import judging
import known
import making
import minimising
import peer
import running

BATCH = 100
MAX_MINIMISED = 5  # of a kind
NUMERICS = ("fast", "exact")


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--runner", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--models", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--narrow", action="store_true")
    parser.add_argument("--findings", type=pathlib.Path)
    parser.add_argument("-v", action="store_true", help="says why models are left out")
    return parser.parse_args()


def failures(runner, cases, verbose=False):
    """For each case how it fails, by name: a kind and what is wrong. Cases that ONNX Runtime refuses are not there."""
    expected, found = {}, {}
    for case in cases:
        try:
            expected[case.name] = peer.run(case.model, case.feeds)
            found[case.name] = None
        except peer.Refused as error:
            if verbose:
                print(f"{case.name}: ONNX Runtime: {error}")
    cases = [case for case in cases if case.name in expected]
    outcomes = {numerics: running.run(runner, cases, numerics) for numerics in NUMERICS}
    for case in cases:
        found[case.name] = failure(case, expected[case.name], {key: outcomes[key].get(case.name) for key in NUMERICS})
    return found


def is_right_refusal(case, reason):
    """True if it names a node that takes a scale which is none.

    A product of integers may be that of the nodes around.
    """
    names = case.fused_nodes if re.search(r"the scales? of the", reason) else case.bad_nodes
    return any(re.search(rf"\b{name}\b", reason) for name in names)


def failure(case, expected, outcomes):
    for numerics, outcome in outcomes.items():
        if outcome is None:
            return f"{numerics}: lost", "there is no outcome"
        if outcome.state == "refused" and is_right_refusal(case, outcome.reason):
            continue
        if outcome.state == "refused" and known.is_known_refusal(outcome.reason):
            return None
        if outcome.state != "pass":
            words = re.sub(r"[^a-zA-Z ]+[a-z]*", "", outcome.reason)[:60]
            return f"{numerics}: {outcome.state}: {words}", outcome.reason
        wrong = judging.compare(case.model, case.feeds, outcome.results, expected)
        if wrong:
            return f"{numerics}: differs", wrong
    if any(outcome.state == "refused" for outcome in outcomes.values()):
        return None
    wrong = judging.compare(case.model, case.feeds, outcomes["fast"].results, outcomes["exact"].results)
    return ("fast: differs from exact", wrong) if wrong else None


def report(runner, case, kind, what, findings):
    def still_fails(candidates):
        for i, candidate in enumerate(candidates):
            candidate.name = str(i)
        found = failures(runner, candidates)
        return [found.get(candidate.name) is not None and found[candidate.name][0] == kind for candidate in candidates]
    small = minimising.minimise(case, still_fails)
    small.name = case.name
    try:
        what = failures(runner, [small])[case.name][1]
    except (KeyError, TypeError):
        small = case
    text = f"{case.name}: {kind}: {what}\n{onnx.printer.to_text(small.model)}"
    print(text, flush=True)
    if findings:
        folder = findings / case.name
        if not folder.exists():
            running.write_case(small, folder)
            (folder / "report.txt").write_text(text)


def main():
    options = arguments()
    end = time.monotonic() + options.seconds if options.seconds else None
    counts, kinds = collections.Counter(), collections.Counter()
    index = options.first
    while end is None or time.monotonic() < end:
        size = BATCH if options.models is None else min(BATCH, options.first + options.models - index)
        if size <= 0:
            break
        cases = []
        for i in range(index, index + size):
            case, rejected = making.make(options.seed, i, options.narrow)
            counts["nodes rejected"] += rejected
            counts["nodes"] += len(case.model.graph.node)
            counts["scales that are none"] += bool(case.bad_nodes)
            try:
                onnx.checker.check_model(case.model, full_check=False)
                cases.append(case)
            except Exception as error:
                counts["refused by onnx.checker"] += 1
                if options.v:
                    print(case.name, error)
        found = failures(options.runner, cases, options.v)
        counts["models"] += len(found)
        counts["refused by ONNX Runtime"] += len(cases) - len(found)
        for case in cases:
            wrong = found.get(case.name)
            if wrong is None:
                continue
            counts["failures"] += 1
            kinds[wrong[0]] += 1
            if kinds[wrong[0]] <= MAX_MINIMISED:
                report(options.runner, case, *wrong, options.findings)
            else:
                print(f"{case.name}: {wrong[0]}: {wrong[1]}")
        index += size
    accepted = []
    if not options.narrow:
        counts["invalid models"], accepted, taken = invalid.check(options.runner, options.seed)
        counts["invalid models accepted"] = len(accepted)
        if options.v:
            print("ONNX Runtime takes invalid models:", dict(taken))
    for line in accepted:
        print(line)
    print(", ".join(f"{number} {name}" for name, number in counts.items()))
    for kind, number in kinds.most_common():
        print(f"  {number} {kind}")
    return 1 if counts["failures"] or accepted or not counts["models"] else 0


if __name__ == "__main__":
    sys.exit(main())
