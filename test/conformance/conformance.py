"""Conformance: models that others wrote, with inputs and outputs.

conformance.py RUNNER FOLDER [--update] makes the cases in FOLDER, lets RUNNER run them and compares what becomes of
each with the lists beside this file: passes.txt, and refusals.txt with the reasons; and ops.json, what they show of
each op (op_evidence.py). --update writes all three. Wrong results are on no list.
"""

import os
import subprocess
import sys

import op_evidence

HERE = os.path.dirname(os.path.abspath(__file__))
OPS = os.path.join(HERE, "ops.json")
DEBIAN = "/usr/share/libonnx-testdata/data"


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def is_random(name):
    """Whether the outputs are random numbers of another generator; test/models/random_numbers_test.py has such ops."""
    return name.startswith("test_bernoulli")


def make_node_cases(folder):
    """The cases of single ops, which the package makes when it is asked."""
    from onnx import numpy_helper
    from onnx.backend.test.case.node import collect_testcases

    def serialized(value, info):
        if hasattr(value, "SerializeToString"):
            return value.SerializeToString()
        if isinstance(value, (list, dict)) or value is None:
            return None
        return numpy_helper.from_array(value, info.name).SerializeToString()

    for case in collect_testcases(None):
        if is_random(case.name):
            continue
        at = os.path.join(folder, case.name)
        write(os.path.join(at, "model.onnx"), case.model.SerializeToString())
        for number, (inputs, outputs) in enumerate(case.data_sets):
            for kind, values, infos in (("input", inputs, case.model.graph.input),
                                        ("output", outputs, case.model.graph.output)):
                for index, (value, info) in enumerate(zip(values, infos)):
                    data = serialized(value, info)
                    # A sequence or an optional value: models that have one are refused.
                    write(os.path.join(at, f"test_data_set_{number}", f"{kind}_{index}.pb"), data or b"")


def make_light_cases(folder, package):
    """Networks whose weights are made by their own nodes, with the inputs that the package's runner gives them."""
    import numpy
    import onnx
    from onnx import numpy_helper

    for file in sorted(os.listdir(package)):
        if not file.endswith(".onnx"):
            continue
        name = file[:-len(".onnx")]
        at = os.path.join(folder, name)
        model = onnx.load(os.path.join(package, file))
        write(os.path.join(at, "model.onnx"), model.SerializeToString())
        weights = {tensor.name for tensor in model.graph.initializer}
        inputs = [value for value in model.graph.input if value.name not in weights]
        for index, value in enumerate(inputs):
            dims = [dim.dim_value if dim.HasField("dim_value") else 1 for dim in value.type.tensor_type.shape.dim]
            count = int(numpy.prod(dims))
            array = (numpy.arange(count).reshape(dims) / count).astype(numpy.float32)
            write(os.path.join(at, "test_data_set_0", f"input_{index}.pb"),
                  numpy_helper.from_array(array, value.name).SerializeToString())
        for index in range(len(model.graph.output)):
            with open(os.path.join(package, f"{name}_output_{index}.pb"), "rb") as output:
                write(os.path.join(at, "test_data_set_0", f"output_{index}.pb"), output.read())


def find_cases(folder):
    """Path by name, of the cases that are there."""
    roots = []
    try:
        import onnx
    except ImportError:
        print("the package onnx is missing: only Debian's cases are run")
    else:
        package = os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data")
        node, light = os.path.join(folder, "node"), os.path.join(folder, "light")
        stamp = os.path.join(folder, "version")
        if not os.path.exists(stamp) or open(stamp).read() != onnx.__version__:
            make_node_cases(node)
            make_light_cases(light, os.path.join(package, "light"))
            write(stamp, onnx.__version__.encode())
        roots += [("node", node), ("light", light)]
        roots += [(kind, os.path.join(package, kind)) for kind in ("pytorch-converted", "pytorch-operator", "simple")]
    roots += [("debian-" + kind, os.path.join(DEBIAN, kind))
              for kind in ("node", "pytorch-converted", "pytorch-operator", "simple")]
    cases = {}
    for kind, root in roots:
        for name in sorted(os.listdir(root)) if os.path.isdir(root) else []:
            path = os.path.join(root, name)
            if os.path.exists(os.path.join(path, "model.onnx")) and not is_random(name):
                cases[kind + "/" + name] = path
    return cases


def read_list(name):
    """What the list says of each case."""
    path = os.path.join(HERE, name)
    if not os.path.exists(path):
        return {}
    lines = [line.rstrip("\n") for line in open(path) if line.strip() and not line.startswith("#")]
    return dict((line.split(": ", 1) + [""])[:2] for line in lines)


def write_list(name, comment, entries):
    with open(os.path.join(HERE, name), "w") as file:
        file.write(f"# {comment}\n")
        for case, reason in sorted(entries.items()):
            file.write(f"{case}: {reason}\n" if reason else f"{case}\n")


def run(runner, cases):
    """The cases by state, with reasons; the rows that those that pass became; the runner's exit status."""
    text = "".join(f"{name}\t{path}\n" for name, path in cases.items())
    done = subprocess.run([runner], input=text, stdout=subprocess.PIPE, text=True, check=False)
    found, rows = {"pass": {}, "refused": {}, "wrong": {}}, {}
    for line in done.stdout.splitlines():
        state, name, reason = line.split("\t", 2)
        if state == "pass":
            rows[name], reason = reason, ""
        found[state][name] = reason
    return found, rows, done.returncode


def main():
    runner, folder = sys.argv[1:3]
    cases = find_cases(folder)
    found, rows, status = run(runner, cases)
    missing = set(cases) - set().union(*found.values())
    print({state: len(names) for state, names in found.items()}, "without an answer:", len(missing))
    ops = op_evidence.summarize(cases, found, rows, os.path.join(folder, "types"), lambda each: run(runner, each))
    if "--update" in sys.argv:
        if ops:
            with open(OPS, "w") as file:
                file.write(op_evidence.text_of(ops))
        write_list("passes.txt", "Cases whose outputs are right.", found["pass"])
        write_list("refusals.txt", "Cases that are refused, and why.", found["refused"])
    wanted = {"pass": read_list("passes.txt"), "refused": read_list("refusals.txt")}
    problems = [f"{name} has no answer" for name in missing]
    problems += [f"{name} is wrong: {reason}" for name, reason in found["wrong"].items()]
    if ops and not (os.path.exists(OPS) and op_evidence.text_of(ops) == open(OPS).read()):
        problems.append("ops.json is stale: --update writes it, and scripts/make_onnx_ops.py the page")
    for state, names in wanted.items():
        for name, reason in names.items():
            if name not in cases or name in found["wrong"] or name in missing:
                continue
            if name not in found[state]:
                problems.append(f"{name} is on the list '{state}', but is not")
            elif found[state][name] != reason:
                problems.append(f"{name} is refused: {found[state][name]!r}, not: {reason!r}")
        problems += [f"{name} is '{state}', but not on its list" for name in found[state] if name not in names]
    for problem in sorted(problems):
        print(problem)
    return 1 if problems or status != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
