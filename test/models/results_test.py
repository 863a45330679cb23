#!/usr/bin/env python3
"""Small models give what ONNX Runtime gives without optimisation, at three sizes of each symbol.

usage: results_test.py BUILD_DIR MODELS      MODELS: folder with the public models
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))

from onnx_models import catalogue, check

# The large ones are checked by benchmarks/models.py check.
NAMES = ["mobilenet_v2.ts", "mobilenet_v2.dynamo", "efficientnet_b0.ts", "minilm_l6.ts", "minilm_l6.dynamo", "magika",
         "ocr_direction", "silero_vad_16k_sequence", "silero_vad_openvino_16k", "silero_vad_op18_ifless"]


def main():
    build_dir, models = map(pathlib.Path, sys.argv[1:])
    if not all((models / f"{name}.onnx").exists() for name in catalogue.PUBLIC):
        print("results_test: the public models are not there")
        raise SystemExit(77)
    raise SystemExit(0 if check.main(NAMES, build_dir, models) else 1)


if __name__ == "__main__":
    main()
