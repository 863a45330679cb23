// Section 67: the weights of a model: tensors of any size, used in place in the file.
#ifndef TFRT_BEF_WEIGHTS_H_
#define TFRT_BEF_WEIGHTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/bef/bef_buffer.h"
#include "tfrt/opinfo/element_type.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

// The alignment of weights in the file. Large weights are aligned to the size of a page, so that
// the system reads and drops pages of one weight only.
inline constexpr size_t kWeightAlignment = 64;
inline constexpr size_t kLargeWeightAlignment = 4096;
inline constexpr size_t kLargeWeightBytes = 65536;
inline constexpr size_t kMaxWeightRank = 255;

// A weight of an open file. All of it points into the file.
struct Weight {
  std::string_view name;
  DType dtype = DType::kUnsupported;
  std::span<const int64_t> dims;
  // The elements, as many as the dimensions require, row-major. Their values are not checked.
  std::span<const uint8_t> bytes;
};

// A weight of a file to be written. The builder does not copy the bytes.
struct WeightSpec {
  std::string name;
  DType dtype = DType::kUnsupported;
  std::vector<int64_t> dims;
  std::span<const uint8_t> bytes;
};

// The section without the bytes of the weights: the table, and where in the payload they begin.
struct WeightsLayout {
  Buffer table;
  std::vector<uint64_t> positions;
  uint64_t payload_size = 0;
};
// Lays out a payload that begins at this file position, a multiple of kWeightAlignment. Fails with
// InvalidArgument for a weight whose bytes do not fit its type.
StatusOr<WeightsLayout> LayOutWeights(std::span<const WeightSpec> weights,
                                      uint64_t payload_position);

}  // namespace tfrt::bef

#endif  // TFRT_BEF_WEIGHTS_H_
