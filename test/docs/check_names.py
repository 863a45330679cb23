#!/usr/bin/env python3
"""Fails on an op, kernel, flag or message that the documentation names and no test exercises.

usage: check_names.py SOURCE_DIR DOCUMENT...

Looks at the code spans (text in backticks) of the documents:
  * an op or kernel is a dotted name of one of our dialects; a span ".i64" behind "x.y.i32" stands for
    "x.y.i64"; components in capitals (DT, R, T) stand for any component;
  * a flag starts with one or two dashes;
  * a message is a text of three or more words that reads like one; words in capitals and numbers stand for
    anything.
Tests are the files below test/, the tests in examples/, and the programs printed in the documents, which
check_examples.py runs.
"""

import pathlib
import re
import sys

import markdown

DIALECTS = ("tfrt", "tfrt_gpu", "tfrt_test", "tfrt_dht", "tfrt_sht", "tfrt_tutorial", "ts", "vt", "coo", "eigen",
            "btf", "corert", "corert_sync", "tfrt_dht_sync", "ts_sync", "tfrt_sht_sync", "tfrt_test_sync")
NAME = re.compile(r'"?((?:%s)(?:\.[A-Za-z0-9_]+)+)"?' % "|".join(DIALECTS))
SUFFIX = re.compile(r"(?:\.[A-Za-z0-9_]+)+")
FLAG = re.compile(r"(--?[A-Za-z][\w-]*)(?:[= ].*)?")
# Programs, shell commands, grammar and paths are not messages.
NOT_A_MESSAGE = re.compile(r"[%@|\\/]|->|::|==|&&|:=|^[-!#.\"({\[]|^\S+\.\S+ |= ?\d|\bfunc\.|^\$ ")
PLACEHOLDER = re.compile(r"\b[A-Z][A-Z0-9]*\b|\b\d+\b")


def is_message(span):
    return len(span.split()) >= 3 and not NOT_A_MESSAGE.search(span)


class Tests:
    """The text of all tests, prepared for quick searches."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.text = text
        self.names = set(re.findall(r"[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)+", text))
        self.flags = set(re.findall(r"-([A-Za-z][\w-]*)", text))

    def exercise(self, kind, text):
        return getattr(self, f"exercise_{kind}")(text)

    def exercise_name(self, name):
        if name in self.names:
            return True
        parts = [r"[A-Za-z0-9_]+" if re.fullmatch(r"[A-Z]+", part) else re.escape(part)
                 for part in name.split(".")]
        pattern = re.compile(r"\.".join(parts))
        return any(pattern.fullmatch(candidate) for candidate in self.names)

    def exercise_flag(self, flag):
        return flag.lstrip("-") in self.flags

    def exercise_message(self, message):
        pieces = [piece for piece in PLACEHOLDER.split(message.replace("\\", "")) if piece.strip()]
        longest = max(pieces, key=len)
        if longest not in self.text:
            return False
        return any(self.line_has(line, pieces) for line in self.lines if longest in line)

    @staticmethod
    def line_has(line, pieces):
        position = 0
        for piece in pieces:
            position = line.find(piece, position)
            if position < 0:
                return False
            position += len(piece)
        return True


def names_in(document):
    """Yields (kind, text, line) for everything the document names."""
    _, prose = markdown.split(document)
    previous_name = None
    for span in markdown.code_spans(prose):
        text = span.text
        if not span.same_paragraph:
            previous_name = None
        if SUFFIX.fullmatch(text) and previous_name:
            depth = text.count(".")
            text = ".".join(previous_name.split(".")[:-depth]) + text
        if "*" in text or "..." in text:
            continue
        if match := NAME.fullmatch(text):
            previous_name = match.group(1)
            yield "name", previous_name, span.line
        elif match := FLAG.fullmatch(text):
            yield "flag", match.group(1), span.line
        elif is_message(text):
            yield "message", text, span.line


def read_tests(root, documents):
    texts = []
    files = [p for p in (root / "test").rglob("*") if (root / "test" / "docs") not in p.parents]
    files += (root / "examples").rglob("*_test.*")
    for path in files:
        if path.is_file() and path.suffix in {".mlir", ".cc", ".h", ".py", ".txt", ".test", ".cpp"}:
            texts.append(path.read_text(errors="replace"))
    for document in documents:
        fences, _ = markdown.split(document)
        texts += [f.text for f in fences if f.language in ("mlir", "text")]
    # Adjacent C++ literals and escaped characters read like the text that they make.
    whole = "\n".join(texts)
    whole = re.sub(r'"\s*\n\s*"', "", whole)
    return Tests(whole.replace("\\", ""))


def main():
    root = pathlib.Path(sys.argv[1])
    documents = {path: pathlib.Path(path).read_text() for path in sys.argv[2:]}
    tests = read_tests(root, documents.values())
    checked, missing = set(), []
    for path, text in documents.items():
        for kind, name, line in names_in(text):
            if (kind, name) in checked:
                continue
            checked.add((kind, name))
            if not tests.exercise(kind, name):
                missing.append(f"{path}:{line}: no test exercises the {kind} '{name}'")
    for error in missing:
        print(error)
    print(f"check_names: {len(checked)} names, flags and messages, {len(missing)} without a test")
    sys.exit(1 if missing or not checked else 0)


if __name__ == "__main__":
    main()
