"""The network that the servers run by ONNX Runtime, on one thread."""


def load(file):
    """Returns a function of one array, `x` of FP32, to the array `y`."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    return lambda array: session.run(["y"], {"x": array})[0]
