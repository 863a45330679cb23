#include "batch_rows.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "tfrt/host_context/host_buffer.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

Status CheckValue(const ModelValue& value, std::string_view kind) {
  if (value.dims && !value.dims->empty() && value.dims->front().size < 0) return OkStatus();
  return InvalidArgumentError(
      StrCat(kind, " ", value.name, " is ", ToString(value), ": its first dimension is not open"));
}

bool IsNameOfBatches(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower == "n" || lower.find("batch") != lower.npos;
}

// The sizes with another first one.
StatusOr<TensorShape> WithRows(const TensorShape& shape, int64_t num_rows) {
  const ShapeDims dims = shape.dims();
  std::vector<int64_t> sizes(dims.begin(), dims.end());
  sizes[0] = num_rows;
  return TensorShape::Create(sizes);
}

}  // namespace

Status CheckHasRows(const Model& model) {
  if (model.inputs().empty()) return InvalidArgumentError("the model has no inputs");
  for (const ModelValue& value : model.inputs()) {
    TFRT_RETURN_IF_ERROR(CheckValue(value, "input"));
  }
  for (const ModelValue& value : model.outputs()) {
    TFRT_RETURN_IF_ERROR(CheckValue(value, "result"));
  }
  return OkStatus();
}

bool HasNamedRows(const Model& model) {
  if (!CheckHasRows(model).ok()) return false;
  const std::string& name = model.inputs()[0].dims->front().symbol;
  const auto has_it = [&](const ModelValue& value) { return value.dims->front().symbol == name; };
  return IsNameOfBatches(name) && std::ranges::all_of(model.inputs(), has_it) &&
         std::ranges::all_of(model.outputs(), has_it);
}

bool CanShareRun(std::span<const DenseHostTensor* const> a,
                 std::span<const DenseHostTensor* const> b) {
  for (size_t i = 0; i < a.size(); ++i) {
    const ShapeDims x = a[i]->shape().dims();
    const ShapeDims y = b[i]->shape().dims();
    if (!std::equal(x.begin() + 1, x.end(), y.begin() + 1, y.end())) return false;
  }
  return true;
}

StatusOr<DenseHostTensor> JoinRows(std::span<const DenseHostTensor* const> parts,
                                   HostAllocator* allocator) {
  int64_t num_rows = 0;
  for (const DenseHostTensor* part : parts) num_rows += part->shape().dim(0);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, WithRows(parts[0]->shape(), num_rows));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor joined, DenseHostTensor::CreateUninitialized(
                                                    {parts[0]->dtype(), shape}, allocator));
  auto* end = static_cast<char*>(joined.buffer()->data());
  for (const DenseHostTensor* part : parts) {
    if (part->size_bytes() == 0) continue;  // its data may be null
    std::memcpy(end, part->data(), part->size_bytes());
    end += part->size_bytes();
  }
  return joined;
}

StatusOr<DenseHostTensor> TakeRows(const DenseHostTensor& tensor, int64_t begin, int64_t num_rows) {
  if (tensor.shape().rank() == 0 || begin + num_rows > tensor.shape().dim(0)) {
    return InternalError(StrCat("a result has the shape ", tensor.shape().ToString(),
                                ", and no rows up to ", begin + num_rows));
  }
  const size_t row_bytes = tensor.shape().dim(0) == 0
                               ? 0
                               : tensor.size_bytes() / static_cast<size_t>(tensor.shape().dim(0));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, WithRows(tensor.shape(), num_rows));
  return DenseHostTensor::CreateFromBuffer(
      {tensor.dtype(), shape},
      HostBuffer::CreateSlice(tensor.buffer(), static_cast<size_t>(begin) * row_bytes,
                              static_cast<size_t>(num_rows) * row_bytes));
}

}  // namespace tfrt::serve
