"""Instructions (callgrind) and allocations of the deterministic benchmark cases."""

import json
import pathlib
import re
import subprocess
import tempfile


def cases(binary):
    return json.loads(subprocess.check_output([binary, "--list"], text=True))


def allocations(binary):
    """Allocations of one run, by case."""
    return json.loads(subprocess.check_output([binary, "--allocations"], text=True))


def instructions(binary, names):
    """Instructions of one run, by case."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["valgrind", "--tool=callgrind", "--collect-atstart=no", "--quiet",
                        f"--callgrind-out-file={folder}/out", binary, *names],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        counts = {}
        for path in pathlib.Path(folder).iterdir():
            text = path.read_text()
            trigger = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
            totals = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
            if trigger and totals:
                counts[trigger.group(1)] = int(totals.group(1))
        missing = set(names) - set(counts)
        if missing:
            raise RuntimeError(f"callgrind gave no count for {sorted(missing)}")
        return counts
