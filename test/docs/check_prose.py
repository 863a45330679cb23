#!/usr/bin/env python3
"""Fails on what makes comments and pages hard to read: worn words in public headers, sentences that begin with what
they are about or are long, long lines of pages. Code, tables and quoted text do not count as prose.

usage: check_prose.py SOURCE_DIR
"""

import pathlib
import re
import subprocess
import sys

import markdown

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


def paragraphs_of_page(prose):
    """(number of the first line, paragraph)"""
    found, start = [], 0
    paragraph = []
    for number, line in enumerate([*prose, ""], 1):
        is_text = line.strip() and not line.lstrip().startswith(("|", "#", "<")) and not line.startswith("    ")
        item = re.match(r"\s*([-*]|\d+\.)\s+", line)
        if paragraph and (item or not is_text):
            found.append((start, " ".join(paragraph)))
            paragraph = []
        if is_text:
            if not paragraph:
                start = number
            paragraph.append(line[item.end():] if item else line.strip())
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


def check_tree(root, paths):
    """What is wrong, a line each, and how many sentences there are."""
    errors, num_sentences = [], 0
    for path in paths:
        is_page = path.endswith(".md")
        is_source = path.startswith(SOURCES) and path.endswith((".h", ".cc"))
        if not is_page and not is_source or not (root / path).exists():
            continue
        text = (root / path).read_text()
        if "Do not edit" in text[:1000]:
            continue
        prose = markdown.split(text)[1] if is_page else []
        for line, paragraph in paragraphs_of_page(prose) if is_page else paragraphs_of_source(text):
            if path.startswith("include/"):
                errors += [f"{path}:{line}: '{word}'" for word in WORN_WORDS.findall(paragraph)]
            for sentence in sentences(paragraph):
                num_sentences += 1
                if FIRST_WORDS.match(sentence):
                    errors.append(f"{path}:{line}: begins with what it is about: {sentence}")
                if len(sentence.split()) > MAX_WORDS and (is_page or path.endswith(".h")):
                    errors.append(f"{path}:{line}: more than {MAX_WORDS} words: {sentence}")
        for number, line in enumerate(prose, 1):
            # A table's row and a long link cannot be broken.
            if len(line) > MAX_COLUMNS and not line.lstrip().startswith("|") and " " in line[:MAX_COLUMNS].strip():
                errors.append(f"{path}:{number}: more than {MAX_COLUMNS} columns")
    return errors, num_sentences


def main():
    root = pathlib.Path(sys.argv[1])
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True)
    if listed.returncode:
        print("check_prose: not a git checkout")
        sys.exit(77)
    errors, num_sentences = check_tree(root, listed.stdout.split())
    for error in errors:
        print(error)
    print(f"check_prose: {num_sentences} sentences, {len(errors)} errors")
    sys.exit(1 if errors or not num_sentences else 0)


if __name__ == "__main__":
    main()
