#ifndef TFRT_TEST_GPU_VENDOR_PTX_SPECIAL_H_
#define TFRT_TEST_GPU_VENDOR_PTX_SPECIAL_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "types.h"

namespace tfrt::gpu::ptx {

// Registers that PTX defines. Those up to kLastFixed have one value for as long as a thread lives.
enum class Special : uint8_t {
  kTidX,
  kTidY,
  kTidZ,
  kNtidX,
  kNtidY,
  kNtidZ,
  kCtaidX,
  kCtaidY,
  kCtaidZ,
  kNctaidX,
  kNctaidY,
  kNctaidZ,
  kLaneid,
  kWarpid,
  kNwarpid,
  kWarpSize,
  kSmid,
  kNsmid,
  kGridid,
  kLanemaskEq,
  kLanemaskLe,
  kLanemaskLt,
  kLanemaskGe,
  kLanemaskGt,
  kDynamicSharedSize,
  kTotalSharedSize,
  kZero,  // what has no meaning here reads as zero: the rank in a cluster of one block
  kOne,
  kLastFixed = kOne,
  kClock,
  kClockHigh,
  kClock64,
  kGlobaltimer,
  kGlobaltimerLow,
  kGlobaltimerHigh,
  kCount,
};

struct SpecialRegister {
  Special special;
  Type type;
};

// `name` as it is written, "%tid.x"; nothing if there is no such register.
std::optional<SpecialRegister> FindSpecial(std::string_view name);

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_SPECIAL_H_
