#!/usr/bin/env python3
"""Writes docs/reference/kernels.md: the kernels that bef_executor offers; or docs/reference/gpu_kernels.md: those of
the module tfrt_gpu.so.

usage: scripts/make_kernel_reference.py BEF_EXECUTOR [--gpu=TFRT_GPU_SO] [--check]

Signatures are what `BEF_EXECUTOR --list_kernels` says, summaries those of the op definitions in dialects/. Needs
LLVM 22 (llvm-config-22). With --check nothing is written; fails if the file is stale.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

SOURCE_DIR = pathlib.Path(__file__).resolve().parent.parent
REFERENCES = SOURCE_DIR / "docs" / "reference"
GPU = "tfrt_gpu."
DTYPES = ("i1 i8 i16 i32 i64 ui8 ui16 ui32 ui64 f16 bf16 f32 f64 bool complex64 complex128").split()
CONVERSION = re.compile(r"(%s)_to_(%s)" % ("|".join(DTYPES), "|".join(DTYPES)))

HEAD = """# Kernels

The kernels of `bef_executor` without `graph.*`, the ops of the op table (docs/compiler.md). Made by
`scripts/make_kernel_reference.py build/ci/bin/bef_executor`. Do not edit.

A signature has four parts: operands, attributes, functions and regions, results. The kernel takes
attributes in the order of their names. `...` stands for any number of further ones, `any` for a
value of any type, `[]` after an element type for an array. A kernel without a chain operand accepts
one more operand, a chain, and waits for it. DT stands for the element types named beside a kernel,
SRC and DST for two of them, R for a rank. [language.md](language.md) has the syntax of ops.
"""

GPU_HEAD = """# Kernels of GPU programs

The kernels of the module `tfrt_gpu.so`. Do not edit. Made by
`scripts/make_kernel_reference.py build/ci/bin/bef_executor --gpu=build/ci/lib/tfrt_gpu.so`.
[gpu_dialect.md](../gpu_dialect.md) has the syntax of the ops. Signatures read as in
[kernels.md](kernels.md). Kernels that are not implemented are registered, so programs that name
them load, and they fail with their name.
"""
# Kernels of which programs write the generic form: no op is defined.
WITHOUT_OP = {"tfrt_gpu.get_entry_point": "which function of the file runs, on what, with buffers of which bytes"}


def run(*command):
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


def read_kernels(bef_executor, gpu):
    """Yields (name, signature): those of the module `gpu`, or without one all others."""
    libraries = [f"--shared_libs={gpu}"] if gpu else []
    for line in run(bef_executor, "--list_kernels", *libraries).splitlines():
        name, signature = line.split(" ", 1)
        if name.startswith("graph.") or name.startswith(GPU) != bool(gpu):  # "graph.": rows of the op table
            continue
        yield name, signature


def read_summaries():
    """The summary of each op, by full name."""
    tblgen = pathlib.Path(run("llvm-config-22", "--bindir").strip()) / "llvm-tblgen"
    include = run("llvm-config-22", "--includedir").strip()
    summaries = {}
    for td in sorted((SOURCE_DIR / "dialects").glob("*/*_ops.td")):
        if td.parent.name == "graph":  # ops, of which nothing runs before they are lowered to kernels
            continue
        records = json.loads(run(tblgen, "--dump-json", "-I", include, "-I", SOURCE_DIR, td))
        for op in records["!instanceof"]["Op"]:
            record = records[op]
            dialect = records[record["opDialect"]["def"]]["name"]
            summaries[f"{dialect}.{record['opName']}"] = record["summary"]
    return summaries


def split_name(name):
    """Returns the name with DT and R for its element type and rank, and those two ('' for none)."""
    parts = name.split(".")
    dtype = next((part for part in parts[1:] if part in DTYPES or CONVERSION.fullmatch(part)), "")
    rank = parts[-1] if parts[-1].isdigit() else ""
    placeholder = "SRC_to_DST" if CONVERSION.fullmatch(dtype) else "DT"
    parts = [placeholder if i and part == dtype else part for i, part in enumerate(parts)]
    if rank:
        parts[-1] = "R"
    return ".".join(parts), dtype, rank


def with_placeholders(text, dtype, rank):
    if rank:
        text = re.sub(r"\b%s\b" % rank, "R", text)
    if dtype:
        element = {"bool": "i1"}.get(dtype, dtype)
        text = re.sub(r"(?<![\w.])%s(?![\w.])" % element, "DT", text)
    return text


def ranges(ranks):
    numbers = sorted({int(rank) for rank in ranks})
    if numbers == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 2:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))


def conversions_text(pairs):
    dtypes = [dtype for dtype in DTYPES if any(dtype in pair for pair in pairs)]
    if len(pairs) == len(dtypes) * (len(dtypes) - 1):
        return "any two of " + ", ".join(dtypes)
    return ", ".join(sorted("_to_".join(pair) for pair in pairs))


def variants_text(row):
    variants = row.variants
    if len(variants) == 1:
        return ""  # the name says it
    if pairs := {match.groups() for dtype, _ in variants if (match := CONVERSION.fullmatch(dtype))}:
        return conversions_text(pairs)
    dtypes = [dtype for dtype in DTYPES if any(dtype == d for d, _ in variants)]
    ranks = {rank for _, rank in variants if rank}
    complete = len(variants) == max(len(dtypes), 1) * max(len(ranks), 1)
    if not complete:  # not every rank with every type
        return ", ".join(sorted(".".join(filter(None, v)) for v in variants))
    texts = [", ".join(dtypes)] if dtypes else []
    if ranks:
        texts.append("R " + ranges(ranks))
    return "; ".join(texts)


class Row:
    def __init__(self, signature):
        self.signature = signature
        self.names, self.variants, self.summary = [], [], ""


def rows_of(ops):
    """Groups (name, signature, summary) into rows, in the order of the first of each. Returns (name, row) pairs.

    Kernels of one row differ in element type and rank. A signature is written with DT where that lets more of
    them share a row.
    """
    ops = [(name, *split_name(name), signature, summary) for name, signature, summary in ops]
    count = collections.Counter()
    for _, pattern, dtype, _, signature, _ in ops:
        count.update({(pattern, signature), (pattern, with_placeholders(signature, dtype, ""))})
    rows = collections.OrderedDict()
    for name, pattern, dtype, rank, signature, summary in ops:
        general = with_placeholders(signature, dtype, "")
        if count[pattern, general] > count[pattern, signature]:
            signature = general
        row = rows.setdefault((pattern, signature), Row(signature))
        row.names.append(name)
        row.variants.append((dtype, rank))
        row.summary = row.summary or with_placeholders(summary, dtype, rank)
    return [(row.names[0] if len(row.names) == 1 else pattern, row)
            for (pattern, _), row in rows.items()]


def table(ops, undeclared="not declared"):
    lines = ["| kernel | for | signature | |", "|---|---|---|---|"]
    for name, row in rows_of(ops):
        sync = "sync; " if row.signature.startswith("sync ") else ""
        signature = row.signature.removeprefix("sync ")
        signature = undeclared if signature == "?" else f"`{signature}`"
        lines.append(f"| `{name}` | {variants_text(row)} | {signature} | "
                     f"{(sync + row.summary).removesuffix('; ')} |")
    return lines


def make_reference(bef_executor, gpu):
    kernels = list(read_kernels(bef_executor, gpu))
    summaries = {name: text for name, text in read_summaries().items() if name.startswith(GPU) == bool(gpu)}
    families = collections.OrderedDict()
    for name, signature in kernels:
        families.setdefault(name.split(".")[0],
                            []).append((name, signature, summaries.get(name) or WITHOUT_OP.get(name, "")))
    lines = [GPU_HEAD if gpu else HEAD]
    for family, ops in families.items():
        lines += [f"## {family}", "", *table(ops, "not implemented" if gpu else "not declared"), ""]
    names = {name for name, _ in kernels}
    names.add("tfrt.return")  # no kernel: the end of a function
    without = [(name, "", summaries[name]) for name in sorted(summaries) if name not in names]
    if without:
        lines += ["## Ops without a kernel", "", "They can be written and compiled, but not run.", "",
                  "| op | for | |", "|---|---|---|"]
        lines += [f"| `{name}` | {variants_text(row)} | {row.summary} |" for name, row in rows_of(without)]
        lines.append("")
    return "\n".join(lines)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    gpu = next((a.split("=", 1)[1] for a in arguments if a.startswith("--gpu=")), None)
    files = [argument for argument in arguments if not argument.startswith("--")]
    if len(files) != 1 or len(arguments) != (2 if gpu else 1):
        sys.exit(__doc__)
    text = make_reference(files[0], gpu)
    output = REFERENCES / ("gpu_kernels.md" if gpu else "kernels.md")
    if "--check" not in sys.argv:
        output.parent.mkdir(exist_ok=True)
        output.write_text(text)
        return
    if not output.exists() or output.read_text() != text:
        sys.exit(f"{output} is stale: run scripts/make_kernel_reference.py {' '.join(arguments)}")


if __name__ == "__main__":
    main()
