// Section 67: the weights of a model: tensors of any size, used where they lie in the file.
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

// Weights begin at such positions of the file, large ones at the second kind: the size of a page,
// so that the system reads and drops pages of one weight only.
inline constexpr size_t kWeightAlignment = 64;
inline constexpr size_t kLargeWeightAlignment = 4096;
inline constexpr size_t kLargeWeightBytes = 65536;
inline constexpr size_t kMaxWeightRank = 255;

// A weight of an open file, into which all of it points.
struct Weight {
  std::string_view name;
  DType dtype = DType::kUnsupported;
  std::span<const int64_t> dims;
  // As many as the dimensions say, row-major. Their values were not looked at.
  std::span<const uint8_t> bytes;
};

// A weight of a file to be written. The builder does not copy the bytes.
struct WeightSpec {
  std::string name;
  DType dtype = DType::kUnsupported;
  std::vector<int64_t> dims;
  std::span<const uint8_t> bytes;
};

// The section but for the bytes of the weights: the table, and where in the payload they begin.
struct WeightsLayout {
  Buffer table;
  std::vector<uint64_t> positions;
  uint64_t payload_size = 0;
};
// For a payload that begins at this file position, a multiple of kWeightAlignment. InvalidArgument:
// a weight whose bytes do not fit its type.
StatusOr<WeightsLayout> LayOutWeights(std::span<const WeightSpec> weights,
                                      uint64_t payload_position);

}  // namespace tfrt::bef

#endif  // TFRT_BEF_WEIGHTS_H_
