#!/usr/bin/env python3
"""Fails on a word that has a second meaning: functions are traced, and the profiler records events into profiles. So
the profiler does not say "trace", except in names that others gave, and what traces functions does not say "record".

usage: check_words.py SOURCE_DIR
"""

import pathlib
import re
import subprocess
import sys

# Names that others gave to formats, fields and functions.
NAMES_OF_OTHERS = re.compile(
    r"(Chrome|Perfetto|perfetto)('s)? traces?|[Tt]race [Ee]vent|Chrome's trace "
    r"format|perfetto/trace/|schema::trace|namespace trace\b"
    r"|pftrace|tfrt_trace|[Tt]racePacket|trace_packet|export_chrome_trace|traceEvents|trace\.json|trace_id"
    r"|TfrtTrace|--trace_file|trace_file"
    r"|traced function|chrome://tracing|[Tt]raceback|TRACES_DIR|tfrt_gpu\.event\.record")
# The folders, the word, the meaning that it has elsewhere.
RULES = (
    (("lib/profiler/", "lib/base/tracing/", "include/tfrt/profiler/", "include/tfrt/tracing/", "gpu/profiler/",
      "tools/tfrt_prof/", "python/src/profiler.", "docs/profiling.md", "docs/reference/profiles.md"),
     re.compile(r"\w*(?<!tfrt/)(?<!base/)[Tt]race(?!r\b)\w*"), "functions are traced; the profiler makes profiles"),
    (("lib/format/", "lib/compiler/", "lib/api/function/", "include/tfrt/function/", "include/tfrt/compiler/",
      "python/tfrt/_rewrite/", "python/tfrt/tracing.py", "docs/functions.md", "docs/reference/python_tracing.md"),
     re.compile(r"\w*[Rr]ecord\w*"), "the profiler records; functions are traced"),
)


def check_tree(root, paths):
    """What is wrong, a line each, and how many files were read."""
    errors, num_files = [], 0
    for path in paths:
        for folders, word, meaning in RULES:
            if not path.startswith(folders) or not (root / path).is_file():
                continue
            num_files += 1
            for number, line in enumerate((root / path).read_text().splitlines(), 1):
                if "tfrt/tracing/record.h" in line or "tracing::Record" in line:
                    continue
                errors += [f"{path}:{number}: '{found}': {meaning}"
                           for found in word.findall(NAMES_OF_OTHERS.sub("", line))]
    return errors, num_files


def main():
    root = pathlib.Path(sys.argv[1])
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True)
    if listed.returncode:
        print("check_words: not a git checkout")
        sys.exit(77)
    errors, num_files = check_tree(root, listed.stdout.split())
    for error in errors:
        print(error)
    print(f"check_words: {num_files} files, {len(errors)} errors")
    sys.exit(1 if errors or not num_files else 0)


if __name__ == "__main__":
    main()
