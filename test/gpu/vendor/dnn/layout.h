// Layout: where the elements of a tensor lie.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_LAYOUT_H_
#define TFRT_TEST_GPU_VENDOR_DNN_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/abi/cudnn_types.h"
#include "test/gpu/vendor/driver/control.h"

namespace tfrt::gpu::cudnn_double {

using cudnn::cudnnDataType_t;

// Of one element, which for the types with vectors is one of their 4 or 32 numbers; 0: not one of
// the types that the double computes with.
size_t ElementBytes(cudnnDataType_t type);
// 4 of INT8x4, and 1 of types without vectors.
int VectorSize(cudnnDataType_t type);

struct Layout {
  cudnnDataType_t type = cudnn::CUDNN_DATA_FLOAT;
  std::vector<int64_t> dims;     // [N, C, spatial...], C in elements
  std::vector<int64_t> strides;  // in vectors
  int vector_size = 1;           // elements of C that lie side by side

  int rank() const { return static_cast<int>(dims.size()); }
  int64_t num_elements() const;
  // The element's number from the first one.
  int64_t Offset(const int64_t* index) const {
    int64_t vectors = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      vectors += (d == 1 ? index[d] / vector_size : index[d]) * strides[d];
    }
    return vectors * vector_size + (vector_size == 1 ? 0 : index[1] % vector_size);
  }
  bool is_packed() const;

  friend bool operator==(const Layout&, const Layout&) = default;
};

// Dense, in the order of the dimensions, or with C last.
std::vector<int64_t> RowStrides(const std::vector<int64_t>& dims);
std::vector<int64_t> ChannelsLastStrides(const std::vector<int64_t>& dims);

// Appends the bytes of the tensor at the address, exactly: what lies between them is not used.
// `use` as in tfrtDoubleRange.
void AppendRanges(const Layout& layout, const void* address, int32_t use,
                  std::vector<tfrtDoubleRange>* ranges);

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_LAYOUT_H_
