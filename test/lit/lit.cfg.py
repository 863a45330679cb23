# Configuration of the lit tests. Loaded by the lit.site.cfg.py that CMake writes.
import os
import sys

import lit.formats

config.name = "tfrt"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
# A program that waits for ever fails as a test of its own, named.
lit_config.maxIndividualTestTime = int(lit_config.params.get("test_seconds", 60))
config.test_source_root = os.path.dirname(__file__)
config.excludes = ["Inputs"]

# The project's tools first, then FileCheck and not.
config.environment["PATH"] = os.path.pathsep.join(
    [config.tfrt_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")])
for name in ["ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%tools_dir", config.tfrt_tools_dir))
config.substitutions.append(("%build_dir", config.tfrt_binary_dir))
config.substitutions.append(("%source_dir", config.tfrt_source_dir))
