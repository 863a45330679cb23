// Ops that choose among elements.

#include <algorithm>
#include <cstring>
#include <utility>

#include "copied_result.h"
#include "index_checks.h"
#include "lib/ops/maths/cpu/selection.h"
#include "lib/ops/maths/shapes/axes.h"
#include "lib/ops/op_call/number_dispatch.h"
#include "lib/runtime/tensor/dense_integers.h"
#include "op_groups.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

// Dtypes whose elements have no C++ type, or no order.
Status WrongElements(const OpCall& call, const DenseHostTensor& in) {
  return InvalidArgumentError(
      StrCat(call.op_name(), " does not take tensors of ", DTypeName(in.dtype())));
}

Status TopK(const DenseHostTensor& in, const DenseHostTensor&, const TensorMetadata& values,
            const TensorMetadata& indices, const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(size_t axis, NormalizeAxis(*attrs.Get<int64_t>("axis"), in.shape()));
  const TensorShape& shape = in.shape();
  const cpu::TopKSizes sizes{SizeOfDims(shape, 0, axis), shape.dim(axis),
                             SizeOfDims(shape, axis + 1, shape.rank()), values.shape.dim(axis),
                             *attrs.Get<bool>("largest")};
  if (!DispatchReal(in.dtype(), [](auto) {})) return WrongElements(call, in);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor best, call.Allocate(values));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor places, call.Allocate(indices));
  const auto rows = best.num_elements() == 0 ? 0 : static_cast<size_t>(sizes.outer * sizes.inner);
  // A row is looked through, and what is found is sorted.
  const size_t cost = 4 * static_cast<size_t>(sizes.size) * sizeof(int64_t);
  AsyncValueRef<Chain> done =
      RunBlocks(call.exec_ctx(), rows, ItemsPerBlock(cost), {&in, &best, &places},
                [sizes, dtype = in.dtype(), from = in.data(), to = WritableData<char>(best),
                 at = WritableData<int64_t>(places)](size_t begin, size_t end) {
                  cpu::TopK(sizes, dtype, from, to, at, begin, end);
                });
  SetResultAfter(call, 0, std::move(best), done.CopyRef());
  SetResultAfter(call, 1, std::move(places), std::move(done));
  return OkStatus();
}

Status NonZero(const DenseHostTensor& in, OpCall& call) {
  if (!DispatchDType(in.dtype(), [](auto) {})) return WrongElements(call, in);
  const int64_t count = cpu::CountNonZero(in.dtype(), in.data(), in.num_elements());
  const auto rank = static_cast<int64_t>(in.shape().rank());
  TFRT_ASSIGN_OR_RETURN(TensorShape shape,
                        TensorShape::Create(std::initializer_list<int64_t>{rank, count}));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({DType::kI64, std::move(shape)}));
  cpu::NonZero(in.dtype(), in.data(), in.shape(), count, WritableData<int64_t>(out));
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

StatusOr<float> OneFloat(const OpCall& call, const DenseHostTensor& tensor, std::string_view name) {
  if (tensor.dtype() == DType::kF32 && tensor.num_elements() == 1) {
    return *static_cast<const float*>(tensor.data());
  }
  return InvalidArgumentError(StrCat(call.op_name(), ": the ", name, " is ",
                                     DTypeName(tensor.dtype()), " ", tensor.shape().ToString(),
                                     ", expected one f32"));
}

Status NonMaxSuppression(const DenseHostTensor& boxes, const DenseHostTensor& scores,
                         const DenseHostTensor& max_boxes, const DenseHostTensor& iou_threshold,
                         const DenseHostTensor& score_threshold, const OpAttrsRef& attrs,
                         OpCall& call) {
  cpu::NmsOptions options;
  TFRT_ASSIGN_OR_RETURN(options.max_boxes, ReadInteger(call.op_name(), "max_boxes", max_boxes));
  TFRT_ASSIGN_OR_RETURN(options.iou_threshold, OneFloat(call, iou_threshold, "iou_threshold"));
  TFRT_ASSIGN_OR_RETURN(options.score_threshold,
                        OneFloat(call, score_threshold, "score_threshold"));
  options.center_point = *attrs.Get<bool>("center_point");
  TFRT_ASSIGN_OR_RETURN(auto box_view, DenseView<float>::Create(boxes, "boxes"));
  TFRT_ASSIGN_OR_RETURN(auto score_view, DenseView<float>::Create(scores, "scores"));
  options.batch = scores.shape().dim(0);
  options.classes = scores.shape().dim(1);
  options.count = scores.shape().dim(2);
  const auto chosen = cpu::NonMaxSuppression(options, box_view.data(), score_view.data());
  TFRT_ASSIGN_OR_RETURN(
      DenseHostTensor out,
      call.Allocate({DType::kI64, TensorShape{static_cast<int64_t>(chosen.size()), 3}}));
  if (!chosen.empty()) std::memcpy(WritableData<char>(out), chosen.data(), out.size_bytes());
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

// Rows of matrices: what is on one side of the diagonal is kept, the rest is 0.
Status Triangle(const DenseHostTensor& in, const DenseHostTensor& diagonal_tensor,
                const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(int64_t diagonal, ReadInteger(call.op_name(), "diagonal", diagonal_tensor));
  const bool upper = *attrs.Get<bool>("upper");
  const size_t rank = in.shape().rank();
  const int64_t rows = in.shape().dim(rank - 2), columns = in.shape().dim(rank - 1);
  if (in.num_elements() == 0) return SetEmpty(call, result);
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  // Farther away it is no diagonal of these matrices.
  diagonal = std::clamp<int64_t>(diagonal, -rows - 1, columns + 1);
  const auto element_size = static_cast<int64_t>(DTypeSize(in.dtype()));
  const auto* from = static_cast<const char*>(in.data());
  auto* to = WritableData<char>(out);
  ComputeResult(call, static_cast<size_t>(in.num_elements() / columns),
                static_cast<size_t>(columns * element_size), {&in}, std::move(out),
                [=](size_t begin, size_t end) {
                  for (auto i = static_cast<int64_t>(begin); i < static_cast<int64_t>(end); ++i) {
                    const int64_t row = i % rows;
                    const int64_t first =
                        upper ? std::clamp<int64_t>(row + diagonal, 0, columns) : 0;
                    const int64_t last =
                        upper ? columns : std::clamp<int64_t>(row + diagonal + 1, 0, columns);
                    char* row_to = to + i * columns * element_size;
                    const char* row_from = from + i * columns * element_size;
                    std::memset(row_to, 0, static_cast<size_t>(first * element_size));
                    if (row_to != row_from) {
                      std::memcpy(row_to + first * element_size, row_from + first * element_size,
                                  static_cast<size_t>((last - first) * element_size));
                    }
                    std::memset(row_to + last * element_size, 0,
                                static_cast<size_t>((columns - last) * element_size));
                  }
                });
  return OkStatus();
}

}  // namespace

void RegisterSelectionOps(OpRegistry* registry) {
  registry->Implement("graph.top_k", {.function = TFRT_OP(TopK)});
  registry->Implement("graph.nonzero", {.function = TFRT_OP(NonZero)});
  registry->Implement("graph.non_max_suppression", {.function = TFRT_OP(NonMaxSuppression)});
  registry->Implement("graph.triangle", {.function = TFRT_OP(Triangle)});
}

}  // namespace tfrt
