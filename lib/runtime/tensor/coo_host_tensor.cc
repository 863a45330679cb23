#include "coo_host_tensor.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "dtype_dispatch.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {
namespace {

// The dimension that bounds column `column` of the indices.
int64_t ColumnLimit(const TensorShape& shape, CooIndexOrder order, size_t column) {
  return shape.dim(order == CooIndexOrder::kRowMajor ? column : shape.rank() - 1 - column);
}

// Places of the elements that are not 0.
template <typename T>
std::vector<int64_t> FindNonzero(const DenseHostTensor& tensor) {
  std::vector<int64_t> places;
  auto* elements = static_cast<const char*>(tensor.data());
  for (int64_t i = 0; i < tensor.num_elements(); ++i, elements += sizeof(T)) {
    bool is_zero;
    if constexpr (std::is_same_v<T, bool>) {
      is_zero = *elements == 0;  // any byte: it need not have been set
    } else {
      is_zero = *reinterpret_cast<const T*>(elements) == T();
    }
    if (!is_zero) places.push_back(i);
  }
  return places;
}

}  // namespace

StatusOr<CooHostTensor> CooHostTensor::Create(TensorShape shape, DenseHostTensor indices,
                                              DenseHostTensor values, CooIndexOrder order) {
  TFRT_RETURN_IF_ERROR(CheckDType(indices, DType::kI64, "the index tensor"));
  TFRT_RETURN_IF_ERROR(CheckRank(indices, 2, "the index tensor"));
  TFRT_RETURN_IF_ERROR(CheckRank(values, 1, "the tensor of values"));
  size_t rank = shape.rank();
  int64_t count = values.num_elements();
  if (indices.shape().dim(0) != count || static_cast<size_t>(indices.shape().dim(1)) != rank) {
    return InvalidArgumentError(StrCat("a sparse tensor of shape ", shape.ToString(), " with ",
                                       count, " values has indices of shape ",
                                       indices.shape().ToString()));
  }
  auto* index = static_cast<const int64_t*>(indices.data());
  for (int64_t row = 0; row < count; ++row) {
    for (size_t column = 0; column < rank; ++column, ++index) {
      int64_t limit = ColumnLimit(shape, order, column);
      if (*index < 0 || *index >= limit) {
        return InvalidArgumentError(StrCat("index ", *index, " at position ", row, ", ", column,
                                           " is outside the dimension ", limit));
      }
    }
  }
  TensorMetadata metadata{values.dtype(), std::move(shape)};
  return CooHostTensor(std::move(metadata), std::move(indices), std::move(values), order);
}

int64_t CooHostTensor::LinearIndex(size_t i) const {
  assert(i < num_values());
  size_t rank = shape().rank();
  std::span<const int64_t> index = index_data().subspan(i * rank, rank);
  int64_t place = 0;
  for (size_t column = 0; column < rank; ++column) {
    place = place * ColumnLimit(shape(), index_order_, column) + index[column];
  }
  return place;
}

std::string CooHostTensor::ToString() const {
  std::string text =
      StrCat("CooHostTensor dtype = ", DTypeName(dtype()), ", shape = ", shape().ToString(),
             ", indices = ", DimsToString(index_data()), ", values = [");
  auto* value = static_cast<const char*>(values_.data());
  for (size_t i = 0; i < num_values(); ++i, value += DTypeSize(dtype())) {
    if (i != 0) text += ", ";
    AppendElement(dtype(), value, &text);
  }
  return text + "]\n";
}

StatusOr<CooHostTensor> SparseFromDense(const DenseHostTensor& tensor, CooIndexOrder order,
                                        HostAllocator* allocator) {
  std::vector<int64_t> places;
  if (!DispatchDType(tensor.dtype(),
                     [&]<typename T>(std::type_identity<T>) { places = FindNonzero<T>(tensor); })) {
    return InvalidArgumentError(
        StrCat("a tensor of ", DTypeName(tensor.dtype()), " cannot become sparse"));
  }
  auto count = static_cast<int64_t>(places.size());
  size_t rank = tensor.shape().rank();
  TFRT_ASSIGN_OR_RETURN(TensorShape index_shape, TensorShape::Create(std::initializer_list<int64_t>{
                                                     count, static_cast<int64_t>(rank)}));
  TFRT_ASSIGN_OR_RETURN(
      DenseHostTensor indices,
      DenseHostTensor::CreateUninitialized({DType::kI64, std::move(index_shape)}, allocator));
  TFRT_ASSIGN_OR_RETURN(
      DenseHostTensor values,
      DenseHostTensor::CreateUninitialized({tensor.dtype(), TensorShape{count}}, allocator));
  TFRT_ASSIGN_OR_RETURN(void* index_data, indices.MutableData());
  TFRT_ASSIGN_OR_RETURN(void* value_data, values.MutableData());
  size_t size = DTypeSize(tensor.dtype());
  auto* row = static_cast<int64_t*>(index_data);
  auto* value = static_cast<char*>(value_data);
  for (int64_t place : places) {
    std::memcpy(value, static_cast<const char*>(tensor.data()) + place * size, size);
    int64_t rest = place;
    for (size_t column = rank; column-- > 0;) {
      int64_t limit = ColumnLimit(tensor.shape(), order, column);
      row[column] = rest % limit;  // not 0: there is an element
      rest /= limit;
    }
    row += rank;
    value += size;
  }
  return CooHostTensor::Create(tensor.shape(), std::move(indices), std::move(values), order);
}

StatusOr<DenseHostTensor> DenseFromSparse(const CooHostTensor& tensor, HostAllocator* allocator) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor result,
                        DenseHostTensor::CreateUninitialized(tensor.metadata(), allocator));
  TFRT_ASSIGN_OR_RETURN(void* data, result.MutableData());
  std::memset(data, 0, result.size_bytes());
  size_t size = DTypeSize(tensor.dtype());
  auto* value = static_cast<const char*>(tensor.values().data());
  for (size_t i = 0; i < tensor.num_values(); ++i, value += size) {
    std::memcpy(static_cast<char*>(data) + tensor.LinearIndex(i) * size, value, size);
  }
  return result;
}

}  // namespace tfrt
