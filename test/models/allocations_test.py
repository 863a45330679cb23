#!/usr/bin/env python3
"""A run at sizes that were seen asks the host's allocator for nothing: the results' memory is that of earlier ones.

usage: allocations_test.py BUILD_DIR MODELS      MODELS: folder with the public models
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# With fixed sizes, and with sizes of the run's: LSTM, convolutions, the layers of a text network, convolutions.
CASES = {"silero_vad_openvino_16k": [], "silero_vad_16k_sequence": ["--dim", "sequence_length=3"],
         "magika": ["--dim", "unk__214=2"], "ocr_detector": ["--shape", "x=1,3,64,96"]}


def main():
    build_dir, models = map(pathlib.Path, sys.argv[1:])
    if not all((models / f"{name}.onnx").exists() for name in CASES):
        print("allocations_test: the public models are not there")
        raise SystemExit(77)
    failed = False
    for name, sizes in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            bef = pathlib.Path(folder, "model.bef")
            subprocess.run([build_dir / "bin/tfrt_import", models / f"{name}.onnx", "-o", bef], check=True)
            output = subprocess.run([build_dir / "bin/tfrt_run", bef, "--random", *sizes, "--bench", "--runs", "5"],
                                    check=True, stdout=subprocess.PIPE, text=True).stdout
        count = float(re.search(r"^allocations +([\d.]+) per run$", output, re.MULTILINE)[1])
        print(f"{name}: {count} allocations per run")
        failed |= count != 0
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
