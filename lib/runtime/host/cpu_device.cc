#include "cpu_device.h"

#include <memory>

#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::internal {
namespace {

class CpuDevice final : public Device {
 public:
  // `own_memory`: null for that of the host.
  CpuDevice(std::string name, HostContext* host, std::unique_ptr<HostAllocator> own_memory)
      : Device(std::move(name)), host_(host), own_memory_(std::move(own_memory)) {}

  HostAllocator* allocator() override {
    return own_memory_ ? own_memory_.get() : host_->allocator();
  }
  std::string_view tensor_type_name() const override { return "DenseHost"; }

 private:
  HostContext* const host_;
  const std::unique_ptr<HostAllocator> own_memory_;
};

}  // namespace

RCReference<Device> CreateCpuDevice(HostContext* host, int ordinal) {
  return TakeRef<Device>(new CpuDevice(StrCat("cpu:", ordinal), host,
                                       ordinal == 0 ? nullptr : CreateMallocAllocator()));
}

}  // namespace tfrt::internal
