// The part of the Extras section that the verifier needs; only tools read it whole.
#ifndef TFRT_LIB_FORMAT_BEF_EXTRAS_VERIFIER_H_
#define TFRT_LIB_FORMAT_BEF_EXTRAS_VERIFIER_H_

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tfrt/support/status.h"

namespace tfrt::bef {

// A function that the section speaks of, or one of its kernels.
struct ExtrasEntry {
  static constexpr uint64_t kFunctionItself = std::numeric_limits<uint64_t>::max();
  uint32_t function;
  uint32_t num_symbols;  // of all groups of the kernel; saturated
  uint64_t kernel;
};

// Checks what DecodeExtras checks, with less memory. The entries are in file order: ascending by
// function, the function itself first, then its kernels.
StatusOr<std::vector<ExtrasEntry>> VerifyExtras(std::span<const uint8_t> payload);

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_EXTRAS_VERIFIER_H_
