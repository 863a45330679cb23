// GpuOps: the rows of the op table that GPUs have.
#ifndef TFRT_GPU_OPS_GPU_OPS_H_
#define TFRT_GPU_OPS_GPU_OPS_H_

#include <span>

#include "gpu_op.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt::gpu {

// Returns what makes the op of a row on GPUs; null if they do not have it, and for ops that are no
// rows. Thread-safe.
GpuOpMaker FindGpuOp(const OpDescription& op);

// Returns whether GPUs leave the row to the host by design. Then the sizes of its results, or its
// failure, depend on elements, its effects are the host's, or its arguments are read there.
bool IsHostRow(const OpDescription& op);

// By family; the order means nothing.
std::span<const GpuOpRow> ArrangeGpuOps();
std::span<const GpuOpRow> CreationGpuOps();
std::span<const GpuOpRow> ElementwiseGpuOps();
std::span<const GpuOpRow> IndexGpuOps();
std::span<const GpuOpRow> MovementGpuOps();
std::span<const GpuOpRow> NormGpuOps();
std::span<const GpuOpRow> PadGpuOps();
std::span<const GpuOpRow> ProductGpuOps();
std::span<const GpuOpRow> ReductionGpuOps();
std::span<const GpuOpRow> SelectionGpuOps();
std::span<const GpuOpRow> ShapeGpuOps();
std::span<const GpuOpRow> SoftmaxGpuOps();
std::span<const GpuOpRow> TrainingGpuOps();
std::span<const GpuOpRow> WindowGpuOps();

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_GPU_OPS_H_
