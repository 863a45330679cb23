// vt.*: a value that reports each event of its life, so that programs can show lifetimes.

#include <cstdio>
#include <string_view>
#include <utility>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/test_kernels.h"

namespace tfrt {
namespace {

class TrackedValue {
 public:
  static constexpr std::string_view kProgramTypeName = "tracked value";
  explicit TrackedValue(int32_t value) : value_(value) { Report("constructed"); }
  TrackedValue(const TrackedValue& other) : value_(other.value_) { Report("copy constructed"); }
  TrackedValue(TrackedValue&& other) noexcept : value_(std::exchange(other.value_, kMovedFrom)) {
    Report("move constructed");
  }
  TrackedValue& operator=(const TrackedValue&) = delete;
  ~TrackedValue() {
    if (value_ != kMovedFrom) Report("destroyed");
  }
  int32_t value() const { return value_; }

 private:
  // A value that is -1 from birth is therefore never reported as destroyed.
  static constexpr int32_t kMovedFrom = -1;

  void Report(const char* event) const {
    std::printf("%s vt.value(%d)\n", event, value_);
    std::fflush(stdout);
  }

  int32_t value_;
};

TrackedValue VtConstant(Attribute<int32_t> value) { return TrackedValue(*value); }

TrackedValue VtAdd(const TrackedValue& a, const TrackedValue& b) {
  return TrackedValue(
      static_cast<int32_t>(static_cast<uint32_t>(a.value()) + static_cast<uint32_t>(b.value())));
}

Chain VtPrint(const TrackedValue& value) {
  std::printf("print vt_value(%d)\n", value.value());
  std::fflush(stdout);
  return {};
}

}  // namespace

void RegisterValueTrackingKernels(KernelRegistry* registry) {
  registry->AddKernel("vt.constant", TFRT_KERNEL(VtConstant));
  registry->AddKernel("vt.add", TFRT_KERNEL(VtAdd));
  registry->AddKernel("vt.print", TFRT_KERNEL(VtPrint));
  RegisterTutorialKernels(registry);
}

}  // namespace tfrt
