#!/usr/bin/env python3
"""Plants uses of the standard library in a small source tree and expects check_std_includes.py to name those that
nothing includes."""

import pathlib
import tempfile
import unittest

import check_std_includes

TREE = {
    "cmake/TfrtLayers.cmake": """
        |set(TFRT_WINGS base compiler)
        |set(TFRT_WING_base support)
        |set(TFRT_WING_compiler compiler)
        |set(TFRT_ALLOWED_DEPS_support "")
        |set(TFRT_ALLOWED_DEPS_compiler support)
        |set(TFRT_COMPILER_LAYERS compiler)
        |set(TFRT_RUNTIME_CLIENTS tools/run)
        |""",
    "cmake/TfrtCompileTime.cmake": "set(TFRT_STANDARD_HEADERS\n  <vector> <string>)\n",
    "include/tfrt/support/names.h": "#include <string>\n#include <vector>\nstd::vector<std::string> Names();\n",
    "lib/base/support/names.cc": '#include "tfrt/support/names.h"\nstd::vector<std::string> Names() { return {}; }\n',
    "lib/compiler/names.cc": "std::vector<int> x;  // MLIR's headers bring it\n",
    "tools/run/main.cc": '#include "tfrt/support/names.h"\nstd::vector<int> sizes;\n',
}


class CheckStdIncludesTest(unittest.TestCase):
    def errors(self, planted):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**TREE, **planted}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text.replace("        |", ""))
            num_files, errors = check_std_includes.check_tree(pathlib.Path(folder))
            self.assertGreaterEqual(num_files, 4)
            return errors

    def expect(self, path, text, *errors):
        self.assertEqual(self.errors({path: text}), [f"{path}: {error}" for error in errors])

    def test_tree_is_clean(self):
        self.assertEqual(self.errors({}), [])

    def test_missing(self):
        self.expect("lib/base/support/more.cc", "std::vector<uint8_t> bytes;\n",
                    "uses uint8_t and does not include <cstdint>",
                    "uses std::vector and does not include <vector>")
        self.expect("include/tfrt/support/more.h", "#include <vector>\nstd::optional<int> x;\n",
                    "uses std::optional and does not include <optional>")

    def test_through_headers_of_ours(self):
        self.expect("tools/run/more.cc", '#include "tfrt/support/names.h"\nint n = std::min(1, 2);\n',
                    "uses std::min and does not include <algorithm>")

    def test_no_code(self):
        self.expect("lib/base/support/more.cc",
                    '// std::vector\n/* std::mutex */ auto x = "std::map", y = R"(std::set<int>)";\n')

    def test_what_a_header_brings(self):
        self.expect("lib/base/support/more.cc",
                    "#include <stdint.h>\n#include <vector>\nuint8_t x; auto y = std::next(&x);\n")

    def test_precompiled_without_a_known_use(self):
        self.assertEqual(self.errors({"cmake/TfrtCompileTime.cmake": "set(TFRT_STANDARD_HEADERS <regex>)\n"}),
                         ["cmake/TfrtCompileTime.cmake: <regex> is precompiled, and no use of it is known here"])


if __name__ == "__main__":
    unittest.main()
