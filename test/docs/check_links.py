#!/usr/bin/env python3
"""Checks that each relative link of the Markdown files names a file that exists, and a heading that it has.

usage: check_links.py SOURCE_DIR
"""

import pathlib
import re
import subprocess
import sys

import markdown

LINK = re.compile(r"\]\(([\w./#-][^)\s]*)\)")


def anchor(heading):
    """As web pages of repositories make it."""
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading.replace("`", "").replace("*", ""))
    return re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")


def check_tree(root, names):
    """What is wrong, a line each, and how many links there are."""
    texts = {root / name: "\n".join(markdown.split((root / name).read_text())[1]) for name in names
             if (root / name).exists()}
    anchors = {path: {anchor(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
               for path, text in texts.items()}
    num_links, errors = 0, []
    for path, text in texts.items():
        for link in LINK.findall(text):
            if ":" in link:
                continue  # the web
            num_links += 1
            name, _, heading = link.partition("#")
            target = (path.parent / name).resolve() if name else path
            if not target.exists():
                errors.append(f"{path.relative_to(root)}: there is no {link}")
            elif heading and heading not in anchors.get(target, {heading}):
                errors.append(f"{path.relative_to(root)}: {link}: the page has no such heading")
    return errors, num_links


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=root, capture_output=True, text=True)
    if listed.returncode:
        print("check_links: not a git checkout")
        sys.exit(77)
    errors, num_links = check_tree(root, listed.stdout.split())
    for error in errors:
        print(error)
    print(f"check_links: {num_links} links, {len(errors)} errors")
    sys.exit(1 if errors or not num_links else 0)


if __name__ == "__main__":
    main()
