#!/usr/bin/env python3
"""The models of benchmarks/onnx_models are valid, the same each time, and compute the same in both forms."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))

import numpy as np
import onnx

from onnx_models import catalogue, peers


class BuildersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make(self, name, with_weights=False):
        path = self.folder / f"{name}.onnx"
        catalogue.make(name, path, with_weights)
        return path

    def test_each_model_is_valid(self):
        for name in catalogue.BUILT:
            for form in ("ts", "dynamo"):
                with self.subTest(name=name, form=form):
                    path = self.make(f"{name}.{form}")
                    onnx.checker.check_model(path, full_check=True)
                    self.assertLess(path.stat().st_size, 2 << 20)

    def test_forms_compute_the_same(self):
        outputs = []
        for form in ("ts", "dynamo"):
            path = self.make(f"minilm_l6.{form}", with_weights=True)
            inputs = catalogue.inputs_of(onnx.load(path))
            feeds = catalogue.feeds(inputs, catalogue.BUILT["minilm_l6"].sizes)
            outputs.append(peers.OnnxRuntime(path, feeds, optimised=False).outputs()["last_hidden_state"])
        self.assertLess(np.abs(outputs[0] - outputs[1]).max(), 1e-4)
        self.assertGreater(outputs[0].std(), 0.5)

    def test_a_model_is_the_same_each_time(self):
        first = self.make("mobilenet_v2.ts", with_weights=True).read_bytes()
        self.assertEqual(self.make("mobilenet_v2.ts", with_weights=True).read_bytes(), first)

    def test_exporters_differ(self):
        ts, dynamo = [{node.op_type for node in onnx.load(self.make(f"bert_base.{form}"),
                                                          load_external_data=False).graph.node}
                      for form in ("ts", "dynamo")]
        self.assertLessEqual({"Constant", "Shape", "Erf", "ReduceMean"}, ts)
        self.assertLessEqual({"LayerNormalization", "Gelu", "IsNaN", "Where"}, dynamo)
        self.assertTrue({"Identity"} <= {node.op_type for node in onnx.load(
            self.make("resnet50.ts"), load_external_data=False).graph.node})

    def test_sizes_of_symbols(self):
        self.assertEqual(catalogue.value_of("past_length + 1", {"past_length": 3}), 4)
        self.assertEqual(catalogue.shapes([("x", np.float32, ["n", 3])], {"n": 2}), {"x": [2, 3]})
        self.assertEqual(catalogue.shapes([("x", np.float32, ["?", 3])], {"x": [5, 3]}), {"x": [5, 3]})


if __name__ == "__main__":
    unittest.main()
