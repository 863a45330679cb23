# Configuration of the GPU programs' tests. Loaded by the lit.site.cfg.py that CMake writes.
import os
import sys

import lit.formats

config.name = "tfrt-gpu"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test"]
lit_config.maxIndividualTestTime = int(lit_config.params.get("test_seconds", 60))
config.test_source_root = os.path.dirname(__file__)
config.excludes = ["Inputs"]

config.environment["PATH"] = os.path.pathsep.join(
    [config.tfrt_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")])
# Which driver it is; without the first, that of the machine.
for name in ["TFRT_GPU_LIBRARY_PATH", "TFRT_GPU_DOUBLE"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions.append(("%old_driver", os.environ.get("TFRT_TEST_OLD_DRIVER", "")))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%build_dir", config.tfrt_binary_dir))
