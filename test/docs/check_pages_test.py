#!/usr/bin/env python3
"""Plants faults in pages and comments and expects check_prose.py, check_links.py and
check_words.py to name each."""

import pathlib
import tempfile
import unittest

import check_links
import check_prose
import check_words

PAGE = "# A page\n\nIt says something. [More](other.md#a-part), [of the web](https://a.b/c).\n"
OTHER = ("# Other\n\n## A part\n\n```\nWhat code says does not count, however long the line that says it is, or "
         "[where](no.md).\n```\n")
LONG = "This sentence has " + "many and more " * 8 + "words"


class CheckPagesTest(unittest.TestCase):
    def errors(self, check, **planted):
        files = {"page.md": PAGE, "other.md": OTHER,
                 **{name.replace("__", "/").replace("_h", ".h").replace("_md", ".md"): text
                    for name, text in planted.items()}}
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            return check.check_tree(root, list(files))[0]

    def test_clean(self):
        self.assertEqual(self.errors(check_prose, include__a_h="// Returns a number.\nint a();\n"), [])
        self.assertEqual(self.errors(check_links), [])

    def test_first_words(self):
        self.assertEqual(self.errors(check_prose, lib__a_h="// What it is. Of which?\n"),
                         ["lib/a.h:1: begins with what it is about: What it is."])

    def test_worn_words(self):
        self.assertEqual(self.errors(check_prose, include__a_h="int a;\n// The file is gone.\n"),
                         ["include/a.h:2: 'gone'"])
        self.assertEqual(self.errors(check_prose, lib__a_h="// The file is gone.\n"), [])

    def test_long_sentences_and_lines(self):
        self.assertEqual(self.errors(check_prose, lib__a_h=f"// {LONG}.\n"),
                         [f"lib/a.h:1: more than 25 words: {LONG}."])
        self.assertEqual(self.errors(check_prose, a_md="Short. " * 20 + "\n"), ["a.md:1: more than 100 columns"])

    def test_words(self):
        self.assertEqual(self.errors(check_words, lib__profiler__a_h="// Reads a Perfetto trace into a profile.\n"), [])
        self.assertEqual(self.errors(check_words, lib__profiler__a_h="class TraceReader;\n"),
                         ["lib/profiler/a.h:1: 'TraceReader': functions are traced; the profiler makes profiles"])
        self.assertEqual(self.errors(check_words, lib__api__function__a_h="int a;\n// It is recorded.\n"),
                         ["lib/api/function/a.h:2: 'recorded': the profiler records; functions are traced"])
        self.assertEqual(self.errors(check_words, lib__api__eager__a_h="// A trace is recorded.\n"), [])

    def test_links(self):
        self.assertEqual(self.errors(check_links, a_md="[gone](gone.md) [part](other.md#no-part) [own](#none)\n"),
                         ["a.md: there is no gone.md", "a.md: other.md#no-part: the page has no such heading",
                          "a.md: #none: the page has no such heading"])


if __name__ == "__main__":
    unittest.main()
