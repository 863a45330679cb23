#!/usr/bin/env python3
"""Counts what makes comments and pages hard to read, and fails if one of the counts has grown.

The limits lie in prose.json; whoever improves the text lowers them (--store). Sentences end with a full stop, a question
mark or a colon before a blank line. Code, tables and quoted text do not count as prose.

usage: check_prose.py SOURCE_DIR [--list KIND | --store]
"""

import json
import pathlib
import re
import subprocess
import sys

SOURCES = ("include", "lib", "gpu", "dialects", "python/src", "tools")
FIRST_WORDS = re.compile(r"(What|Of|Who|Which)\b(?!.*\?$)", re.DOTALL)  # questions may
WORN_WORDS = re.compile(r"\b(behind|goes|gone|is there|are there)\b")
MAX_WORDS = 25
MAX_COLUMNS = 100


def sentences(text):
    """Those of one paragraph."""
    text = re.sub(r"`[^`]*`", "`code`", " ".join(text.split()))
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return [s.strip() for s in re.split(r"(?<=[.?!])(?:[\"')]*)\s+(?=[\"'(]*[A-Z`])", text) if s.strip()]


def paragraphs_of_page(text):
    """(number of the first line, paragraph)"""
    found, start, is_code = [], 0, False
    paragraph = []

    def end():
        if paragraph:
            found.append((start, " ".join(paragraph)))
            paragraph.clear()

    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
            end()
        elif is_code or not line.strip() or line.lstrip().startswith(("|", "#", "<", "    ")):
            end()
        else:
            item = re.match(r"\s*([-*]|\d+\.)\s+", line)
            if item:
                end()
            if not paragraph:
                start = number
            paragraph.append(line[item.end():] if item else line.strip())
    end()
    return found


def paragraphs_of_source(text):
    """Blocks of whole-line comments."""
    found, start, paragraph = [], 0, []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        comment = re.match(r"\s*//+ ?(.*)", line)
        words = comment.group(1) if comment else ""
        if words.strip() and not words.startswith("  ") and "NOLINT" not in words:
            if not paragraph:
                start = number
            paragraph.append(words.strip())
        elif paragraph:
            found.append((start, " ".join(paragraph)))
            paragraph = []
    return found


def count(root):
    """{kind: [(file:line, text)]}, and how many sentences pages have."""
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True)
    if listed.returncode:
        print("check_prose: not a git checkout")
        sys.exit(77)
    paths = listed.stdout.split()
    kinds = {kind: [] for kind in ("first_words", "worn_words_in_public_headers", "long_sentences_in_headers",
                                   "long_sentences_in_pages", "long_lines_in_pages")}
    in_pages = 0
    for path in paths:
        is_page = path.endswith(".md") and path != "CHANGELOG.md"  # which is history, not documentation
        is_source = path.startswith(SOURCES) and path.endswith((".h", ".cc"))
        if not is_page and not is_source or not (root / path).exists():
            continue
        text = (root / path).read_text()
        if "Do not edit" in text[:1000]:
            continue
        for line, paragraph in paragraphs_of_page(text) if is_page else paragraphs_of_source(text):
            place = f"{path}:{line}"
            if path.startswith("include/"):
                kinds["worn_words_in_public_headers"] += [
                    (place, word) for word in WORN_WORDS.findall(paragraph)]
            for sentence in sentences(paragraph):
                in_pages += is_page
                if FIRST_WORDS.match(sentence):
                    kinds["first_words"].append((place, sentence))
                if len(sentence.split()) > MAX_WORDS and (is_page or path.endswith(".h")):
                    kinds["long_sentences_in_" + ("pages" if is_page else "headers")].append((place, sentence))
        if is_page:
            is_code = False
            for number, line in enumerate(text.splitlines(), 1):
                is_code ^= line.lstrip().startswith("```")
                # A table's row and a long link cannot be broken.
                if len(line) > MAX_COLUMNS and not is_code and not line.lstrip().startswith("|") and " " in line[:MAX_COLUMNS].strip():
                    kinds["long_lines_in_pages"].append((f"{path}:{number}", line))
    return kinds, in_pages


def main():
    root = pathlib.Path(sys.argv[1])
    limits_file = root / "test/docs/prose.json"
    kinds, in_pages = count(root)
    counts = {kind: len(found) for kind, found in kinds.items()}
    if sys.argv[2:] == ["--store"]:
        limits_file.write_text(json.dumps(counts, indent=2) + "\n")
    elif len(sys.argv) == 4:
        for place, text in kinds[sys.argv[3]]:
            print(f"{place}: {text}")
        return
    limits = json.loads(limits_file.read_text())
    wrong = False
    for kind, number in counts.items():
        limit = limits.get(kind, 0)
        if number > limit:
            print(f"{kind}: {number}, and may be {limit}; they are: check_prose.py {root} --list {kind}")
            wrong = True
        elif number < limit:
            print(f"{kind}: {number}; please lower the limit {limit}: check_prose.py {root} --store")
    print(f"check_prose: {counts}, of {in_pages} sentences in pages")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
