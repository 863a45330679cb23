// The table of the Weights section of a file that is checked.
#ifndef TFRT_LIB_FORMAT_BEF_WEIGHTS_READER_H_
#define TFRT_LIB_FORMAT_BEF_WEIGHTS_READER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "tfrt/bef/weights.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

struct WeightTable {
  std::vector<Weight> weights;
  std::vector<int64_t> dims;  // of all of them
};

// Checks the table, in time and memory linear in its size, whatever that of the weights: their
// bytes are not touched. The `payload` begins at `position` of the file. InvalidArgument with the
// defect, to follow the section's name in a message.
Status ReadWeights(std::span<const uint8_t> payload, uint64_t position, WeightTable* table);

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_WEIGHTS_READER_H_
