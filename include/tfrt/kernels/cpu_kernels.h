// tfrt_cpu.*: operations of neural networks on dense host tensors, except for matrix products and
// convolutions (contraction_kernels.h). Names end with the dtype.
//
// Convention: operands are (inputs..., out, chain), the result is a chain that is ready when `out`
// is written. The exception is concat, which takes (out, chain, inputs...). The shape of `out` is
// that of the operation's shape function (tfrt_cpu.OP_shape). Element-wise operations, softmax and
// normalisation may write over an input of the output's shape. Elsewhere an output that overlaps an
// input is an error. Results are the same bits for every number of threads and on every CPU.
//
// tf_sync.OP.f32 are sync kernels of the same arithmetic: operands are (inputs..., out).
#ifndef TFRT_KERNELS_CPU_KERNELS_H_
#define TFRT_KERNELS_CPU_KERNELS_H_

namespace tfrt {

class KernelRegistry;

void RegisterCpuKernels(KernelRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_KERNELS_CPU_KERNELS_H_
