"""Prints a program of LAYERS layers, each of which reads the tensor of the layer before and writes its own.

usage: chain.py LAYERS KERNEL, for example tfrt_test.relu.f32
"""

import sys

layers, kernel = int(sys.argv[1]), sys.argv[2]
print("func.func @chain() -> !tfrt.chain {")
print("  %c0 = tfrt.new.chain")
for i in range(layers):
    print(f"  %t{i} = tfrt_dht.create_uninitialized_tensor.f32.2 [32, 32]")
print("  %c1 = tfrt_dht.fill_tensor_with_constant.f32 %t0, %c0 0.5 : f32")
for i in range(1, layers):
    print(f'  %c{i + 1} = "{kernel}"(%t{i - 1}, %t{i}, %c{i})'
          " : (!tfrt_tensor.tensor, !tfrt_tensor.tensor, !tfrt.chain) -> !tfrt.chain")
print(f"  %end = tfrt_dht.print_tensor %t{layers - 1}, %c{layers}")
print("  tfrt.return %end : !tfrt.chain")
print("}")
