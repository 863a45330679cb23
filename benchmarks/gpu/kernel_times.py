#!/usr/bin/env python3
"""Times of the library's device code beside PyTorch's kernels on the same GPU.

    kernel_times.py FOLDER_OF_PTX RESULT.json

FOLDER_OF_PTX is build/PRESET/gpu/device_code. Needs a GPU, PyTorch and CuPy. Times are microseconds of the device: the
median of five rounds of launches back to back, which includes what a launch costs the device. Each kernel is launched as
`gpu/device_code/launch.h` says. PyTorch multiplies f32 without TF32.
"""

import json
import sys

import cupy
import numpy
import torch

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
MOST_BLOCKS = 1 << 16
THREADS, TILE_THREADS = 256, 64
ROUNDS, WARM_UPS = 5, 3
ELEMENTS = 1 << 26
# m, n, k, and the parts that PlanMatMul has for them
PRODUCTS = ((4096, 4096, 4096, 1), (1, 4096, 4096, 32), (8, 4096, 4096, 4), (128, 768, 3072, 12), (64, 64, 1 << 20, 1024))


class Kernels:
    def __init__(self, folder):
        self.folder, self.modules = folder, {}

    def get(self, name, module):
        if module not in self.modules:
            self.modules[module] = cupy.RawModule(path=f"{self.folder}/{module}.ptx")
        function = self.modules[module].get_function(name)
        threads = TILE_THREADS if name in {f"matmul_{element}" for element in TYPES} else THREADS
        return lambda blocks, *arguments: function((min(blocks, MOST_BLOCKS),), (threads,), tuple(map(argument, arguments)))


def argument(value):
    if isinstance(value, torch.Tensor):
        return numpy.uint64(value.data_ptr())
    return numpy.int64(value) if isinstance(value, int) else value


def microseconds(call, launches):
    for _ in range(WARM_UPS):
        call()
    torch.cuda.synchronize()
    times = []
    for _ in range(ROUNDS):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        for _ in range(launches):
            call()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) / launches * 1e3)
    return sorted(times)[ROUNDS // 2]


class Table:
    def __init__(self):
        self.rows = []

    def add(self, name, ours, theirs, num_bytes=0, num_operations=0, launches=20):
        """`num_bytes` are the least that must be moved; results are compared by gpu/device/kernels_launched, not here."""
        a, b = microseconds(ours, launches), microseconds(theirs, launches)
        row = {"name": name, "us": round(a, 2), "torch_us": round(b, 2), "ratio": round(a / b, 2)}
        if num_bytes:
            row |= {"gb_per_s": round(num_bytes / a / 1e3), "torch_gb_per_s": round(num_bytes / b / 1e3)}
        if num_operations:
            row |= {"tflops": round(num_operations / a / 1e6, 2), "torch_tflops": round(num_operations / b / 1e6, 2)}
        self.rows.append(row)
        print(json.dumps(row), flush=True)


def tensors(element, *sizes):
    return [torch.randn(size, device="cuda").to(TYPES[element]) for size in sizes]


def measure_moving(table, kernels, element):
    x, y, ours, theirs = tensors(element, *[ELEMENTS] * 4)
    size, blocks = x.element_size(), ELEMENTS // THREADS
    rows, columns = ELEMENTS // 1024, 1024
    exp, relu = (kernels.get(f"{op}_{element}", f"unary_{element}") for op in ("exp", "relu"))
    add, broadcast = (kernels.get(f"{op}_{element}", f"binary_{element}") for op in ("add", "broadcast_add"))
    sum_of, sum_of_parts = (kernels.get(f"sum_{parts}{element}", f"reduce_{element}") for parts in ("", "parts_"))
    states = torch.empty(1 << 20, dtype=torch.float64, device="cuda")
    softmax = kernels.get(f"softmax_{element}", f"softmax_{element}")
    table.add(f"exp_{element}, 64 Mi", lambda: exp(blocks, ours, x, ELEMENTS), lambda: torch.exp(x, out=theirs),
              2 * ELEMENTS * size)
    table.add(f"relu_{element}, 64 Mi", lambda: relu(blocks, ours, x, ELEMENTS),
              lambda: torch.clamp_min(x, 0, out=theirs), 2 * ELEMENTS * size)
    table.add(f"add_{element}, 64 Mi", lambda: add(blocks, ours, x, y, ELEMENTS, 1, 1),
              lambda: torch.add(x, y, out=theirs), 3 * ELEMENTS * size)
    table.add(f"broadcast_add_{element}, 65536x1024 + 1024",
              lambda: broadcast(blocks, ours, x, y, 1, 1, rows, columns, 0, 0, columns, 1, 0, 0, 0, 1),
              lambda: torch.add(x.view(rows, columns), y[:columns], out=theirs.view(rows, columns)), 2 * ELEMENTS * size)
    table.add(f"sum_{element} of rows, 65536x1024", lambda: sum_of(rows // 8, ours, x, rows, columns, 1, 1),
              lambda: torch.sum(x.view(rows, columns), 1, out=theirs[:rows]), ELEMENTS * size)
    few = ELEMENTS // 4

    def sum_in_parts(blocks, of_parts, outer, size, inner, parts):
        sum_of(blocks, states, x, outer, size, inner, parts)
        sum_of_parts(of_parts, ours, states, outer, size, inner, parts)

    table.add(f"sum_{element} of all, 16 Mi", lambda: sum_in_parts(1024, 1, 1, few, 1, 1024),
              lambda: torch.sum(x[:few]), few * size)
    table.add(f"sum_{element} of columns, 262144x64", lambda: sum_in_parts(1024, 2, 1, few // 64, 64, 512),
              lambda: torch.sum(x[:few].view(few // 64, 64), 0, out=theirs[:64]), few * size)
    table.add(f"softmax_{element}, 65536x1024", lambda: softmax(rows, ours, x, rows, columns),
              lambda: torch.softmax(x.view(rows, columns), 1, out=theirs.view(rows, columns)), 2 * ELEMENTS * size)


def measure_products(table, kernels, element):
    module = f"matmul_{element}"
    tiles, few_rows, of_parts = (kernels.get(f"matmul_{kind}{element}", module) for kind in ("", "few_rows_", "parts_"))
    no_bias, plain = numpy.uint64(0), numpy.int32(0)
    for m, n, k, parts in PRODUCTS:
        a, b, ours, theirs = tensors(element, (m, k), (k, n), (m, n), (m, n))
        sums = torch.empty(parts * m * n, dtype=torch.float32, device="cuda") if parts > 1 else ours
        first, blocks = (few_rows, -(-n // 256)) if m <= 8 else (tiles, -(-m // 64) * -(-n // 64))

        def multiply():
            first(parts * blocks, sums, a, b, no_bias, 1, m, n, k, 0, 0, plain, plain, parts)
            if parts > 1:
                of_parts(-(-m * n // 32), ours, sums, no_bias, 1, m, n, plain, parts)

        table.add(f"matmul_{element}, {m}x{n}x{k}", multiply, lambda: torch.mm(a, b, out=theirs),
                  num_operations=2 * m * n * k, launches=3)


def measure_layouts(table, kernels):
    side = 8192
    x, ours, theirs = tensors("f32", *[(side, side)] * 3)
    transpose, cast = kernels.get("transpose_b32", "transpose"), kernels.get("cast_f32_f16", "cast")
    table.add("transpose_b32, 8192x8192", lambda: transpose((side // 32) ** 2, ours, x, 1, side, side),
              lambda: theirs.copy_(x.t()), 8 * side**2)
    narrow, theirs_narrow = tensors("f16", side**2, side**2)
    table.add("cast_f32_f16, 64 Mi", lambda: cast(side**2 // THREADS, narrow, x, side**2),
              lambda: theirs_narrow.copy_(x.view(-1)), 6 * side**2)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    torch.backends.cuda.matmul.allow_tf32 = False
    kernels, table = Kernels(sys.argv[1]), Table()
    for element in TYPES:
        measure_moving(table, kernels, element)
        measure_products(table, kernels, element)
    measure_layouts(table, kernels)
    with open(sys.argv[2], "w") as file:
        json.dump({"device": torch.cuda.get_device_name(), "torch": torch.__version__, "rows": table.rows}, file, indent=1)


if __name__ == "__main__":
    main()
