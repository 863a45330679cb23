// tfrt_cpu.transpose, .gather, .concat, .pad, .one_hot, tf_sync.Tile: they move elements. All but
// pad, one_hot and tile take any dtype.

#include <cstdint>
#include <vector>

#include "kernel_groups.h"
#include "lib/ops/maths/shapes/row_shapes.h"
#include "lib/ops/maths/tensor/movement.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

using maths::Completion;

template <typename T>
Completion Reshape(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                   const ExecutionContext& exec_ctx) {
  return maths::Reshape(DTypeOf<T>(), in, out, exec_ctx);
}

template <typename T>
Completion Transpose(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                     ArrayAttribute<int64_t> permutation, const ExecutionContext& exec_ctx) {
  return maths::Transpose(DTypeOf<T>(), in, permutation.span(), out, exec_ctx);
}

template <typename T>
Completion Gather(const DenseHostTensor& in, const DenseHostTensor& indices, DenseHostTensor& out,
                  const Chain&, Attribute<int64_t> axis, const ExecutionContext& exec_ctx) {
  return maths::Gather(DTypeOf<T>(), in, indices, *axis, out, exec_ctx);
}

template <typename T>
Completion Concat(DenseHostTensor& out, const Chain&, RepeatedArguments<DenseHostTensor> inputs,
                  Attribute<int64_t> axis, const ExecutionContext& exec_ctx) {
  std::vector<const DenseHostTensor*> tensors;
  std::vector<ValueType> shapes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    tensors.push_back(&inputs[i]);
    shapes.push_back(Known(inputs[i].shape()));
  }
  shapes.push_back(Known(*axis));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ShapeByRow("concat", shapes));
  TFRT_RETURN_IF_ERROR(CheckOutputShape("concat", out, shape));
  return maths::Concat(DTypeOf<T>(), tensors, *axis, out, exec_ctx);
}

Completion Pad(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
               ArrayAttribute<int64_t> padding, Attribute<float> value,
               const ExecutionContext& exec_ctx) {
  return maths::Pad(in, padding.span(), *value, out, exec_ctx);
}

Completion OneHot(const DenseHostTensor& indices, DenseHostTensor& out, const Chain&,
                  const ExecutionContext& exec_ctx) {
  return maths::OneHot(indices, out, exec_ctx);
}

Status SyncTileF32(const DenseHostTensor& in, const DenseHostTensor& multiples,
                   DenseHostTensor& out) {
  return maths::Tile(in, multiples, out);
}

// (in, multiples, out), or (in, out): then the shape of `out` says how often.
Status SyncTileStrings(const StringHostTensor& in, RepeatedSyncArguments<Tensor> rest) {
  if (rest.size() < 1 || rest.size() > 2) {
    return InvalidArgumentError(
        StrCat("Tile takes 2 or 3 operands, but there are ", rest.size() + 1));
  }
  Tensor& last = rest[rest.size() - 1];
  if (last.tensor_type() != kStringHostTensorType) {
    return InvalidArgumentError("Tile: the output is no tensor of strings");
  }
  auto& out = static_cast<StringHostTensor&>(last);
  if (rest.size() == 1) return maths::TileToShape(in, out);
  if (rest[0].tensor_type() != kDenseHostTensorType) {
    return InvalidArgumentError("Unsupported multiples data type");
  }
  return maths::Tile(in, static_cast<const DenseHostTensor&>(rest[0]), out);
}

template <typename T>
void RegisterMoves(KernelRegistry* registry, std::string_view dtype) {
  registry->AddKernel(StrCat("tfrt_cpu.reshape.", dtype), TFRT_KERNEL(Reshape<T>));
  registry->AddKernel(StrCat("tfrt_cpu.transpose.", dtype), TFRT_KERNEL(Transpose<T>));
  registry->AddKernel(StrCat("tfrt_cpu.gather.", dtype), TFRT_KERNEL(Gather<T>));
  registry->AddKernel(StrCat("tfrt_cpu.concat.", dtype), TFRT_KERNEL(Concat<T>));
}

}  // namespace

void RegisterCpuLayoutKernels(KernelRegistry* registry) {
  RegisterMoves<float>(registry, "f32");
  RegisterMoves<double>(registry, "f64");
  RegisterMoves<int8_t>(registry, "i8");
  RegisterMoves<int32_t>(registry, "i32");
  RegisterMoves<int64_t>(registry, "i64");
  RegisterMoves<uint8_t>(registry, "ui8");
  RegisterMoves<bool>(registry, "bool");
  registry->AddKernel("tfrt_cpu.pad.f32", TFRT_KERNEL(Pad));
  registry->AddKernel("tfrt_cpu.one_hot.f32", TFRT_KERNEL(OneHot));
  registry->AddSyncKernel("tf_sync.Tile.f32", TFRT_SYNC_KERNEL(SyncTileF32));
  registry->AddSyncKernel("tf_sync.Tile.string", TFRT_SYNC_KERNEL(SyncTileStrings));
}

}  // namespace tfrt
