// CooHostTensor: a sparse tensor as a list of coordinates and values; all other elements are 0.
#ifndef TFRT_LIB_RUNTIME_TENSOR_COO_HOST_TENSOR_H_
#define TFRT_LIB_RUNTIME_TENSOR_COO_HOST_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tfrt/async/type_id.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// How the rows of the index tensor name an element.
enum class CooIndexOrder : uint8_t {
  // By its coordinates.
  kRowMajor,
  // By the coordinates that the element at the same place in memory has in a tensor of the reversed
  // shape. For shape [2, 3], element (1, 2), the sixth, is named (2, 1). coo.convert_dht_to_coo
  // writes this order. Equal to kRowMajor for shapes that read the same in both directions.
  kReversedShape,
};

// Immutable. Movable, not copyable. If one element is listed several times, the last value counts.
class CooHostTensor final : public Tensor {
 public:
  static constexpr std::string_view kProgramTypeName = "coo tensor";
  using AsyncValueBases = BaseTypes<Tensor>;

  // `indices` is an i64 tensor [n, rank]; `values` is a tensor of any dtype [n]. Fails with
  // InvalidArgument if their shapes do not fit each other and `shape`, or if an index is out of
  // range.
  static StatusOr<CooHostTensor> Create(TensorShape shape, DenseHostTensor indices,
                                        DenseHostTensor values,
                                        CooIndexOrder order = CooIndexOrder::kRowMajor);

  CooHostTensor(CooHostTensor&&) = default;
  CooHostTensor& operator=(CooHostTensor&&) = default;

  size_t num_values() const { return static_cast<size_t>(values_.num_elements()); }
  CooIndexOrder index_order() const { return index_order_; }
  const DenseHostTensor& indices() const { return indices_; }
  const DenseHostTensor& values() const { return values_; }
  // The indices, row by row.
  std::span<const int64_t> index_data() const {
    return {static_cast<const int64_t*>(indices_.data()),
            static_cast<size_t>(indices_.num_elements())};
  }
  // Returns the place of value `i` in the dense tensor, 0 <= place < num_elements().
  int64_t LinearIndex(size_t i) const;

  TensorType tensor_type() const override { return kCooHostTensorType; }
  // Returns "CooHostTensor dtype = f32, shape = [2, 2], indices = [0, 1, 1, 1], values = [1, 2]\n".
  // The text holds all elements and ends with a newline; programs match it.
  std::string ToString() const override;

 private:
  CooHostTensor(TensorMetadata metadata, DenseHostTensor indices, DenseHostTensor values,
                CooIndexOrder order)
      : Tensor(std::move(metadata)),
        indices_(std::move(indices)),
        values_(std::move(values)),
        index_order_(order) {}

  DenseHostTensor indices_;
  DenseHostTensor values_;
  CooIndexOrder index_order_;
};

// Returns the elements of `tensor` that are not 0 (-0 counts as 0; NaN does not), row-major. Fails
// with ResourceExhausted without memory, and with InvalidArgument for dtypes without a C++ type.
StatusOr<CooHostTensor> SparseFromDense(const DenseHostTensor& tensor, CooIndexOrder order,
                                        HostAllocator* allocator);
// Returns a dense tensor with all elements.
StatusOr<DenseHostTensor> DenseFromSparse(const CooHostTensor& tensor, HostAllocator* allocator);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_COO_HOST_TENSOR_H_
