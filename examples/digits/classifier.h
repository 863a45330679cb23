// The network of this example, run by the embedded runtime, and the data it is tried on.
#ifndef TFRT_EXAMPLES_DIGITS_CLASSIFIER_H_
#define TFRT_EXAMPLES_DIGITS_CLASSIFIER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/status.h"

namespace digits {

inline constexpr size_t kNumImages = 450;
inline constexpr size_t kSide = 8;
inline constexpr size_t kPixels = kSide * kSide;
inline constexpr size_t kNumClasses = 10;

// What train.py wrote: images that the network was not trained on.
struct HeldOut {
  std::vector<uint8_t> images;   // [450,8,8], grey levels 0 to 16
  std::vector<int32_t> labels;   // [450], the truth
  std::vector<int32_t> classes;  // [450], scikit-learn's answers
  std::vector<float> logits;     // [450,10], scikit-learn's
};
// Reads the files in `folder`. NotFound, or DataLoss for a file of the wrong size.
tfrt::StatusOr<HeldOut> ReadHeldOut(const std::string& folder);

struct Answers {
  std::vector<int32_t> classes;  // [450]
  std::vector<float> logits;     // [450,10]
};
// Gives a host the kernels that a network needs besides those of tensors.
using PrepareHost = tfrt::Status (*)(tfrt::HostContext& host);

// Opens the compiled network and runs its function `classify` once on all images. `work_queue_type`
// is "s" (one thread) or "mstd:N". `prepare_host` may be null.
tfrt::StatusOr<Answers> Classify(tfrt::BefImage program, const std::vector<uint8_t>& images,
                                 const std::string& work_queue_type,
                                 PrepareHost prepare_host = nullptr);

}  // namespace digits

#endif  // TFRT_EXAMPLES_DIGITS_CLASSIFIER_H_
