#!/usr/bin/env python3
"""Assembles all device code with the vendor's ptxas, where that is found, for the GPUs that it must run on.

Fails on errors and warnings, and where a kernel needs clearly more registers than registers.txt says: versions of ptxas
differ a little. Fails also where it has local memory, for spilled registers or for arrays that are not in registers,
that the table does not have, or more than twice as much. The table has for each kernel the largest numbers of all
architectures.

usage: ptxas_test.py [--update] [--architectures=75,90,...] [--unoptimised=120,...] PTX_FOLDER REGISTERS_TXT
Exit status 77: there is no ptxas. --architectures: these only, not all; the table is not written from them.
--unoptimised: for these besides, without optimising, which takes half the time and tells nothing of registers.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)
SKIPPED = 77
# Later versions of ptxas drop old architectures; earlier ones lack new ones.
UNKNOWN = re.compile(r"not defined for option 'gpu-name'|Value 'sm_\d+' is not")
KERNEL = re.compile(
    r"Compiling entry function '(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, .*?Used (\d+) registers",
    re.DOTALL)


def find_ptxas():
    folders = [os.environ.get("CUDA_HOME", "") + "/bin", "/usr/local/cuda/bin"]
    return shutil.which("ptxas") or shutil.which("ptxas", path=os.pathsep.join(folders))


def assemble(ptxas, file, architecture, folder, *options):
    """What ptxas said, and the registers and bytes of local memory of each kernel."""
    output = pathlib.Path(folder, f"{file.stem}_{architecture}.cubin")
    run = subprocess.run([ptxas, "-v", *options, f"-arch=sm_{architecture}", str(file), "-o", str(output)],
                         capture_output=True, text=True, timeout=300)
    text = run.stdout + run.stderr
    kernels = {name: (int(registers), max(int(frame), int(spilled)))
               for name, frame, spilled, registers in KERNEL.findall(text)}
    return architecture, file, run.returncode, text, kernels, not options


def read_table(path):
    table = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            name, registers, *local = line.split()
            table[name] = (int(registers), *map(int, local or [0]))
    return table


def write_table(path, table):
    lines = ["# kernel, registers of a thread, bytes of local memory if any: the most of all architectures. "
             "Written by ptxas_test.py --update."]
    lines += [f"{name} {registers}" + (f" {local}" if local else "")
              for name, (registers, local) in sorted(table.items())]
    path.write_text("\n".join(lines) + "\n")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--update", action="store_true")
    arguments.add_argument("--architectures", default=",".join(map(str, ARCHITECTURES)))
    arguments.add_argument("--unoptimised", default="")
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("table", type=pathlib.Path)
    arguments = arguments.parse_args()
    folder, table_path = arguments.folder, arguments.table
    architectures = [int(architecture) for architecture in arguments.architectures.split(",")]
    unoptimised = [int(architecture) for architecture in arguments.unoptimised.split(",") if architecture]
    known = {*architectures, *unoptimised} <= set(ARCHITECTURES)
    if not known or (arguments.update and set(architectures) != set(ARCHITECTURES)):
        sys.exit(__doc__)
    ptxas = find_ptxas()
    files = sorted(folder.glob("*.ptx"))
    if not ptxas or not files:
        print("skipped: " + ("no device code was built" if ptxas else "no ptxas in PATH, CUDA_HOME or /usr/local/cuda"))
        sys.exit(SKIPPED)

    errors, most, unknown = [], {}, set()
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        calls = [pool.submit(assemble, ptxas, file, architecture, temporary)
                 for architecture in architectures for file in files]
        calls += [pool.submit(assemble, ptxas, file, architecture, temporary, "-O0")
                  for architecture in unoptimised for file in files]
        for call in calls:
            architecture, file, status, text, kernels, optimised = call.result()
            if UNKNOWN.search(text):
                unknown.add(architecture)
            elif status != 0 or "warning" in text:
                errors.append(f"{file.name} for sm_{architecture}: {text.strip()}")
            elif len(kernels) != file.read_text().count(".visible .entry"):
                errors.append(f"{file.name} for sm_{architecture}: ptxas tells of {len(kernels)} kernels only")
            for name, (registers, local) in kernels.items() if optimised else ():
                before = most.get(name, (0, 0))
                most[name] = (max(before[0], registers), max(before[1], local))
    architectures += unoptimised
    if unknown == set(architectures):
        errors.append(f"{ptxas} knows none of the architectures")

    if arguments.update:
        write_table(table_path, most)
    table = read_table(table_path)
    for name, (registers, local) in sorted(most.items()):
        if name not in table:
            errors.append(f"{name} is not in {table_path.name}")
            continue
        known, known_local = table[name]
        if registers > known + max(8, known // 4):
            errors.append(f"{name} takes {registers} registers, not {known}")
        if local > 2 * known_local:
            errors.append(f"{name} has {local} bytes of local memory, not {known_local}")
    if most:  # this ptxas knows an architecture that it optimises for
        errors += [f"{name} is in {table_path.name} only" for name in sorted(table.keys() - most.keys())]

    for error in errors:
        print(error)
    known = [f"sm_{a}" for a in architectures if a not in unknown]
    print(f"ptxas_test: {len(files)} modules, {len(most)} kernels for {', '.join(known)}; at most "
          f"{max((r for r, _ in most.values()), default=0)} registers, {sum(s for _, s in most.values())} bytes of "
          f"local memory; {len(errors)} errors")
    if unknown:
        print("not known to this ptxas: " + ", ".join(f"sm_{a}" for a in sorted(unknown)))
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
