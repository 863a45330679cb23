#!/usr/bin/env python3
"""Prints the instruction forms of PTX files, sorted: each opcode with its modifiers and types, once.

  collect_forms.py FILE...                  forms, one a line; of a folder, those of its .ptx files
  collect_forms.py --missing LIST FILE...   those that LIST lacks; fails if there are any
"""
import glob
import os
import re
import sys

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"[^"\n]*"', re.S)
LOCATION = re.compile(r'^\s*\.(loc|file)\b[^\n]*', re.M)
INSTRUCTION = re.compile(r'(?:[$\w]+:\s*)*(?:@!?[%$\w]+\s+)?([a-z][a-z0-9]*(?:\.[\w:]+)*)(?=\s|$)')


def forms_of(text):
    text = LOCATION.sub('', COMMENT.sub(' ', text))
    forms = set()
    # What lies between braces and semicolons is an instruction, a directive, or the elements of a vector.
    for statement in re.split(r'[;{}]', text):
        match = INSTRUCTION.match(statement.strip())
        if match:
            forms.add(match.group(1))
    return forms


def main(arguments):
    known = set()
    missing = arguments[:1] == ['--missing']
    if missing:
        with open(arguments[1]) as file:
            known = {line.strip() for line in file if line.strip() and not line.startswith('#')}
        arguments = arguments[2:]
    found = set()
    for name in arguments:
        folder = os.path.isdir(name)
        for path in sorted(glob.glob(os.path.join(name, '*.ptx'))) if folder else [name]:
            with open(path) as file:
                found |= forms_of(file.read())
    for form in sorted(found - known):
        print(form)
    return 1 if missing and found - known else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
