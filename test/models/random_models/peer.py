"""ONNX Runtime without its optimiser: what the results are compared with."""

import numpy as np
import onnxruntime


def options():
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return options


OPTIONS = options()


class Refused(Exception):
    """ONNX Runtime does not take a model, or does not run it."""


def run(model, sets):
    """The outputs of the model for each set of inputs, by name."""
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), OPTIONS, providers=["CPUExecutionProvider"])
        return [[np.asarray(output) for output in session.run(None, feeds)] for feeds in sets]
    except Exception as error:  # its classes of errors have no base of their own
        raise Refused(str(error)) from None
