// Tensors as lists of rows.

#include <algorithm>
#include <cstring>
#include <utility>

#include "lib/runtime/tensor/dense_integers.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Status ListWrite(const DenseHostTensor& list, const DenseHostTensor& index,
                 const DenseHostTensor& value, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(int64_t at, ReadInteger(call.op_name(), "index", index));
  const TensorShape& shape = list.shape();
  bool fits = list.dtype() == value.dtype() && shape.rank() == value.shape().rank() + 1;
  for (size_t i = 0; fits && i < value.shape().rank(); ++i) {
    fits = shape.dim(i + 1) == value.shape().dim(i);
  }
  if (!fits) {
    return InvalidArgumentError(StrCat(call.op_name(), ": the list is ", list.metadata().ToString(),
                                       ", but the value is ", value.metadata().ToString()));
  }
  if (at < 0 || at == INT64_MAX) {
    return InvalidArgumentError(
        StrCat(call.op_name(), ": the index is ", at, ", expected 0 or more"));
  }
  const ShapeDims dims = shape.dims();
  std::vector<int64_t> sizes(dims.begin(), dims.end());
  sizes[0] = std::max(sizes[0], at + 1);
  TFRT_ASSIGN_OR_RETURN(TensorShape longer, TensorShape::Create(sizes));
  const TensorMetadata result(list.dtype(), std::move(longer));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  auto* to = WritableData<char>(out);
  if (out.data() != list.data()) {
    if (list.size_bytes() > 0) std::memcpy(to, list.data(), list.size_bytes());
    std::memset(to + list.size_bytes(), 0, out.size_bytes() - list.size_bytes());
  }
  const size_t row = value.size_bytes();
  if (row > 0) std::memcpy(to + static_cast<size_t>(at) * row, value.data(), row);
  SetResult(call, 0, std::move(out));
  return OkStatus();
}

}  // namespace

void RegisterListOps(OpRegistry* registry) {
  registry->Implement("graph.list_write", {.function = TFRT_OP(ListWrite)});
}

}  // namespace tfrt
