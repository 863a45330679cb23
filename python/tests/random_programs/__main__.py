"""Random programs for tfrt.function: what is traced does what Python does with eager tensors.

    python3 python/tests/random_programs --seed 1 --seconds 30 [--threads 2] [--show]

Each seed is one program, a text in a file of its own. It runs as it is, over eager tensors, and
traced with exact=True; results and Variables have the same dtypes, shapes and bits afterwards (zeros
may differ in their sign), and where Python raises, the traced program raises too. Every sixth
program is a loss: its gradients are compared with differences of its values. With --threads as many
programs are traced at the same time. A program that fails is made smaller while it fails in the
same way, and written to a file that the message names: `random_programs FILE...` runs it again.

The programs keep to what docs/python.md says of the rewriting. In branches and loops that depend on
tensors they assign variables and Variables only, they raise, return from loops and store attributes
elsewhere, and a variable keeps its dtype, shape and structure.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
import warnings

from minimising import fails_alike, minimised
from running import Program, check_together
from writing import Writer


def watch(state, seconds=60):
    """Ends the process with the name of a program that does not end."""
    def look():
        while True:
            time.sleep(1)
            started, names = state.get("now", (time.monotonic(), ""))
            if time.monotonic() - started > seconds:
                print(f"{names} does not end", flush=True)
                os._exit(1)

    threading.Thread(target=look, daemon=True).start()


def show(*paths):
    """Runs programs of files, at the same time, and says what differs."""
    failures = check_together([Program(path) for path in paths])
    for program, failure in failures:
        print(f"{program.path}: {failure}")
    print("fails" if failures else "as Python does")
    return len(failures)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--programs", type=int, default=10**9)
    parser.add_argument("--seconds", type=float, default=30.0, help="of processor time")
    parser.add_argument("--threads", type=int, default=1, help="as many programs are traced at the same time")
    parser.add_argument("--failures", type=int, default=1, help="stop after as many")
    parser.add_argument("--out", help="the folder for programs that fail; one below /tmp if it is not said")
    parser.add_argument("--show", action="store_true", help="print the program of the seed")
    parser.add_argument("files", nargs="*", help="run these instead")
    options = parser.parse_args()
    if options.show:
        print(Writer(options.seed).write())
        return 0
    if options.files:
        return show(*options.files) != 0
    warnings.simplefilter("ignore")  # of many traces
    folder = options.out or tempfile.mkdtemp(prefix="tfrt_random_programs_")
    os.makedirs(folder, exist_ok=True)
    failed = run_seeds(options, folder)
    if not options.out and not failed:
        os.rmdir(folder)
    return failed != 0


def run_seeds(options, folder):
    """How many programs fail."""
    state, count, failed, raised = {}, 0, 0, 0
    watch(state)
    begin, wall = time.process_time(), time.monotonic()
    while count < options.programs and time.process_time() - begin < options.seconds:
        programs = []
        for seed in range(options.seed + count, options.seed + count + options.threads):
            path = os.path.join(folder, f"seed_{seed}.py")
            with open(path, "w") as file:
                file.write(Writer(seed).write())
            programs.append(Program(path))
        state["now"] = time.monotonic(), ", ".join(program.path for program in programs)
        failures = check_together(programs)
        raised += sum(outcome[0] == "error" for program in programs for outcome in program.plain)
        count += len(programs)
        for program, failure in failures:
            failed += 1
            with open(program.path) as file:
                text = file.read()
            state["now"] = time.monotonic() + 120, f"making {program.path} smaller"
            alone = fails_alike(text, failure.kind, folder)
            found = f"{time.process_time() - begin:.1f} s, program {count}"
            if alone:
                small = program.path.replace(".py", "_small.py")
                with open(small, "w") as file:
                    file.write(minimised(text, failure.kind, folder))
                print(f"{small} fails ({found}; whole: {program.path}): {failure}", flush=True)
            else:
                names = " ".join(one.path for one in programs)
                print(f"{program.path} fails beside the others of {names} ({found}): {failure}", flush=True)
        if failed >= options.failures:
            return failed
        if not failures:
            for program in programs:
                os.unlink(program.path)
    seconds = time.process_time() - begin
    print(f"{count} programs, {raised} calls that raise, {seconds:.1f} s of processor time, "
          f"{count / (time.monotonic() - wall):.1f} programs a second")
    return failed


if __name__ == "__main__":
    sys.exit(main())
