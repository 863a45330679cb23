"""Models in numbers narrower than f32: "resnet50.qdq" and so on, made of the models of f32 at the sizes they are timed
at. ONNX Runtime's quantiser makes those of 8 bits. Those of 16 bits have their weights and all ops in f16."""

import numpy as np

FORMS = ("qdq", "dynamic", "f16")
# Samples that say in which range values lie.
SAMPLES = 2


def _prepared(source, folder):
    from onnxruntime.quantization.shape_inference import quant_pre_process

    path = folder / "prepared.onnx"
    quant_pre_process(source, path, skip_symbolic_shape=True)
    return path


def _qdq(source, target, samples):
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

    class Samples(CalibrationDataReader):
        def __init__(self):
            self._left = iter(samples)

        def get_next(self):
            return next(self._left, None)

    import onnx

    has_convolutions = any(node.op_type == "Conv" for node in onnx.load(source, load_external_data=False).graph.node)
    quantize_static(source, target, Samples(), quant_format=QuantFormat.QDQ, per_channel=True,
                    activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
                    op_types_to_quantize=None if has_convolutions else ["MatMul", "Gemm"],
                    extra_options={"ActivationSymmetric": False, "WeightSymmetric": True})


def _dynamic(source, target):
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(source, target, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul", "Gemm"])


def _f16(source, target):
    import onnx
    from onnx import TensorProto, numpy_helper

    model = onnx.load(source)
    half, single = TensorProto.FLOAT16, TensorProto.FLOAT
    largest = float(np.finfo(np.float16).max)

    def narrowed(tensor):
        if tensor.data_type == single:
            values = numpy_helper.to_array(tensor).clip(-largest, largest)
            tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), tensor.name))

    for tensor in model.graph.initializer:
        narrowed(tensor)
    for node in model.graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                narrowed(attribute.t)
            if node.op_type == "Cast" and attribute.name == "to" and attribute.i == single:
                attribute.i = half
    del model.graph.value_info[:]
    for value in [*model.graph.input, *model.graph.output]:
        if value.type.tensor_type.elem_type == single:
            value.type.tensor_type.elem_type = half
    onnx.save(model, target)


def make(form, source, target, feeds):
    """Writes `target`; `feeds(seed)` gives inputs of `source`."""
    import tempfile
    import pathlib

    if form == "f16":
        return _f16(source, target)
    with tempfile.TemporaryDirectory() as folder:
        prepared = _prepared(source, pathlib.Path(folder))
        if form == "qdq":
            return _qdq(prepared, target, [feeds(seed) for seed in range(SAMPLES)])
        return _dynamic(prepared, target)
