#!/usr/bin/env python3
"""Every spelling of every enumeration, in an op each.

usage: spellings.py program LIST           prints the program
       spellings.py check LIST GENERIC     compares the attributes of the program in generic form with the list
       spellings.py check-printed LIST CUSTOM   compares its spellings in custom form
"""

import re
import sys

TRSM = "blas.trsm.batch %blas, %s, {}, {}, {}, {}, %n, %n, CUDA_R_32F, %f32, %b, %n, %b, %n, %n, %c"
CONVOLUTION = "dnn.create_convolution_descriptor CUDNN_DATA_FLOAT, {}, {}, [], [], []"

# The op, with a place for the spelling, and the name of its attribute.
OPS = {
    "Platform": ("ccl.unique_id @", "platform"),
    "BlasDataType": ("solver.potrf.buffer_size %solver, %s, CUBLAS_FILL_MODE_LOWER, %n, @, %n, %c", "dataType"),
    "BlasComputeType": ("blas.gemm %blas, %s, CUBLAS_OP_N, CUBLAS_OP_N, %n, %n, %n, $, %b, CUDA_R_32F, %n, %b, "
                        "CUDA_R_32F, %n, $, %b, CUDA_R_32F, %n, @, %algo, %c", "computeType"),
    "BlasOperation": (TRSM.format("CUBLAS_SIDE_LEFT", "CUBLAS_FILL_MODE_LOWER", "@", "CUBLAS_DIAG_UNIT"), "trans"),
    "BlasDiagType": (TRSM.format("CUBLAS_SIDE_LEFT", "CUBLAS_FILL_MODE_LOWER", "CUBLAS_OP_N", "@"), "diagType"),
    "BlasFillMode": (TRSM.format("CUBLAS_SIDE_LEFT", "@", "CUBLAS_OP_N", "CUBLAS_DIAG_UNIT"), "fillMode"),
    "BlasSideMode": (TRSM.format("@", "CUBLAS_FILL_MODE_LOWER", "CUBLAS_OP_N", "CUBLAS_DIAG_UNIT"), "sideMode"),
    "BlasGemmAlgo": ("blas.gemm.algo @", "algo"),
    "DnnDataType": ("dnn.create_tensor_descriptor @, [], []", "data_type"),
    "DnnConvolutionMode": (CONVOLUTION.format("@", "CUDNN_FMA_MATH"), "conv_mode"),
    "DnnMathType": (CONVOLUTION.format("CUDNN_CONVOLUTION", "@"), "math_type"),
    "DnnActivationMode": ("dnn.create_activation_descriptor %f64, @, true", "mode"),
    "DnnConvFwdAlgo": ("dnn.convolution_forward_algorithm @", "algo"),
    "DnnConvBwdDataAlgo": ("dnn.convolution_backward_data_algorithm @", "algo"),
    "DnnConvBwdFilterAlgo": ("dnn.convolution_backward_filter_algorithm @", "algo"),
    "FftType": ("fft.create %ctx, @, 1, [2], [2, 1], [2, 1]", "type"),
    "FftDirection": ("fft.execute %s, %fft, %b, %b, %b, @, %c", "direction"),
    "CclDataType": ("ccl.send %ccl, %b, %n, @, %c", "data_type"),
    "CclReductionOp": ("ccl.all_reduce %ccl, %b, %b, ncclInt8, @, %c", "reduction_op"),
}
ARGUMENTS = ("%ctx: !tfrt_gpu.context, %s: !tfrt_gpu.stream, %b: !tfrt_gpu.buffer, %c: !tfrt.chain, %n: i32, "
             "%f16: f16, %f32: f32, %f64: f64, %si32: si32, %blas: !tfrt_gpu.blas.handle, %algo: "
             "!tfrt_gpu.blas.gemm.algo, %solver: !tfrt_gpu.solver.handle, %fft: !tfrt_gpu.fft.handle, %ccl: "
             "!tfrt_gpu.ccl.handle")
SCALARS = {"16F": "%f16", "32F": "%f32", "64F": "%f64", "32I": "%si32"}


def read_list(path):
    with open(path) as file:
        lines = [line.split() for line in file if not line.startswith("#")]
    # ROCm's algorithms are numbers.
    for name in ("DnnConvFwdAlgo", "DnnConvBwdDataAlgo", "DnnConvBwdFilterAlgo"):
        lines += [[name, "0", "2"], [name, "5", "22"]]
    return [(name, text, value, (printed or [text])[0]) for name, text, value, *printed in lines]


def print_program(spellings):
    print(f"func.func @spellings({ARGUMENTS}) {{")
    for name, text, _, _ in spellings:
        scalar = SCALARS.get(text[15:18], "")
        print("  %_ = tfrt_gpu.".replace("%_", f"%v_{text}_{name}")
              + OPS[name][0].replace("$", scalar).replace("@", text))
    print("  tfrt.return\n}")


def ops_of(path, mark):
    with open(path) as file:
        return [line for line in file if mark in line and " = " in line]


def main():
    mode, spellings = sys.argv[1], read_list(sys.argv[2])
    if mode == "program":
        return print_program(spellings)
    lines = ops_of(sys.argv[3], '"tfrt_gpu.' if mode == "check" else "= tfrt_gpu.")
    if len(lines) != len(spellings):
        sys.exit(f"{len(lines)} ops, but {len(spellings)} spellings")
    for (name, text, value, printed), line in zip(spellings, lines):
        attribute = OPS[name][1]
        if mode == "check":
            kind = "ui64" if name.startswith("DnnConv") and name.endswith("Algo") else "si32"
            expected = rf"[{{ ]{attribute} = {value} : {kind}[,}}]"
        else:
            expected = rf"[ ]{printed}(,|$)"
        if not re.search(expected, line):
            sys.exit(f"{text}: no {expected} in {line}")
    print(f"{len(lines)} spellings are right")


main()
