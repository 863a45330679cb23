"""Reads the parts of a Markdown file that the documentation tests look at."""

import dataclasses
import re


@dataclasses.dataclass
class Fence:
    language: str
    text: str
    line: int  # of the opening fence, 1-based
    follows_previous: bool  # nothing but blank lines between this fence and the one before


@dataclasses.dataclass
class CodeSpan:
    text: str
    line: int
    same_paragraph: bool  # no blank line since the span before


FENCE = re.compile(r"^\s*```\s*(\S*)(?:\s+[\w-]+)?\s*$")
SPAN = re.compile(r"(`+)(.+?)\1(?!`)", re.DOTALL)


def split(text):
    """Returns the fences of a document and its prose, in which fences are blank lines."""
    fences, prose = [], []
    opening = None
    body = []
    only_blank = False
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if opening is None:
            if match:
                opening = (match.group(1), number)
                body = []
                prose.append("")
            else:
                prose.append(line)
                only_blank = only_blank and not line.strip()
        elif match and not match.group(1):
            fences.append(Fence(opening[0], "".join(s + "\n" for s in body), opening[1],
                                only_blank and bool(fences)))
            opening = None
            only_blank = True
            prose.append("")
        else:
            body.append(line)
            prose.append("")
    return fences, prose


def code_spans(prose):
    """Yields the code spans of prose lines; a span may continue on the next line."""
    text = "\n".join(prose)
    last_end = 0
    for match in SPAN.finditer(text):
        between = text[last_end:match.start()]
        last_end = match.end()
        if "\n\n" in match.group(2):
            continue
        yield CodeSpan(" ".join(match.group(2).split()), text.count("\n", 0, match.start()) + 1,
                       "\n" not in between)


def is_deleted(root, path):
    """True of a path of the GPU half in a tree without it."""
    return path.startswith(("gpu/", "test/gpu/")) and not (root / "gpu").exists()
