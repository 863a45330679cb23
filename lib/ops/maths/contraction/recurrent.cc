#include "recurrent.h"

#include "fallible_blocks.h"
#include "recurrent_direction.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

const float* FloatsOf(const DenseHostTensor* tensor) {
  return tensor ? static_cast<const float*>(tensor->data()) : nullptr;
}

StatusOr<float*> WritableFloats(DenseHostTensor* tensor) {
  if (!tensor) return nullptr;
  TFRT_ASSIGN_OR_RETURN(void* data, tensor->MutableData());
  return static_cast<float*>(data);
}

// The weights of each direction.
StatusOr<std::shared_ptr<std::vector<ByteWeights>>> BytesOf(const RecurrentOperands& operands,
                                                            int64_t directions,
                                                            const ExecutionContext& exec_ctx) {
  auto bytes = std::make_shared<std::vector<ByteWeights>>();
  for (int64_t i = 0; i < directions; ++i) {
    TFRT_ASSIGN_OR_RETURN(ByteFactor w, ByteFactor::Create("w", *operands.w, *operands.w_scale,
                                                           *operands.w_zero, i, exec_ctx));
    TFRT_ASSIGN_OR_RETURN(ByteFactor r, ByteFactor::Create("r", *operands.r, *operands.r_scale,
                                                           *operands.r_zero, i, exec_ctx));
    bytes->push_back({std::move(w), std::move(r)});
  }
  return bytes;
}

}  // namespace

Completion Recurrent(const RecurrentOptions& options, const RecurrentOperands& operands,
                     const ExecutionContext& exec_ctx) {
  const bool has_bytes = operands.w_scale != nullptr;
  const DenseHostTensor* floats[] = {has_bytes ? nullptr : operands.w,
                                     has_bytes ? nullptr : operands.r,
                                     operands.w_scale,
                                     operands.r_scale,
                                     operands.x,
                                     operands.bias,
                                     operands.initial_h,
                                     operands.initial_c,
                                     operands.peepholes,
                                     operands.y,
                                     operands.last_h,
                                     operands.last_c};
  std::vector<const DenseHostTensor*> tensors;
  if (has_bytes) tensors = {operands.w, operands.r};
  for (const DenseHostTensor* each : floats) {
    if (!each) continue;
    TFRT_RETURN_IF_ERROR(CheckDType(*each, DType::kF32, "an argument of a recurrent layer"));
    tensors.push_back(each);
  }
  RecurrentLayer layer{.options = options};
  if (operands.lengths) {
    TFRT_RETURN_IF_ERROR(CheckDType(*operands.lengths, DType::kI32, "the lengths"));
    layer.lengths = static_cast<const int32_t*>(operands.lengths->data());
    tensors.push_back(operands.lengths);
  }
  const TensorShape &x = operands.x->shape(), &w = operands.w->shape(), &r = operands.r->shape();
  if (x.rank() != 3 || w.rank() != 3 || r.rank() != 3) {
    return InvalidArgumentError("a recurrent layer's x, w and r have rank 3");
  }
  layer.directions = static_cast<int64_t>(options.num_directions());
  layer.steps = x.dim(options.batch_first ? 1 : 0);
  layer.batch = x.dim(options.batch_first ? 0 : 1);
  layer.inputs = x.dim(2);
  layer.hidden = r.dim(has_bytes ? 1 : 2);
  layer.gates = options.kind == RecurrentKind::kLstm  ? 4
                : options.kind == RecurrentKind::kGru ? 3
                                                      : 1;
  layer.x = FloatsOf(operands.x);
  if (has_bytes) {
    TFRT_ASSIGN_OR_RETURN(layer.bytes, BytesOf(operands, layer.directions, exec_ctx));
  } else {
    layer.w = FloatsOf(operands.w), layer.r = FloatsOf(operands.r);
  }
  layer.bias = FloatsOf(operands.bias);
  layer.initial_h = FloatsOf(operands.initial_h);
  layer.initial_c = FloatsOf(operands.initial_c);
  layer.peepholes = FloatsOf(operands.peepholes);
  TFRT_ASSIGN_OR_RETURN(layer.y, WritableFloats(operands.y));
  TFRT_ASSIGN_OR_RETURN(layer.last_h, WritableFloats(operands.last_h));
  TFRT_ASSIGN_OR_RETURN(layer.last_c, WritableFloats(operands.last_c));
  return RunFallibleBlocks(
      exec_ctx, static_cast<size_t>(layer.directions), 1, "a recurrent layer", tensors,
      [layer, exec_ctx](size_t direction) {
        return RecurrentDirection(layer, static_cast<int64_t>(direction), exec_ctx).Run();
      });
}

}  // namespace tfrt::maths
