#include "sim_tensor.h"

#include <cassert>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::sim {

StatusOr<RCReference<SimBuffer>> SimBuffer::Allocate(RCReference<SimDevice> device,
                                                     std::string_view operation,
                                                     size_t size_bytes) {
  TFRT_ASSIGN_OR_RETURN(void* address, device->AllocateBlock(operation, size_bytes));
  return TakeRef(new SimBuffer(std::move(device), address, size_bytes));
}

SimBuffer::~SimBuffer() {
  Stream& compute = device_->accelerator().compute();
  compute.WaitFor(written_);
  for (const Use& use : uses_) compute.WaitFor(use.event);
  [[maybe_unused]] Status status = compute.Free("free", address_);
  assert(status.ok());
}

void SimBuffer::SetWritten(Event event, AsyncValueRef<Chain> elements) {
  written_ = std::move(event);
  elements_ = std::move(elements);
}

void SimBuffer::AddUse(const Stream& stream, Event event) {
  std::lock_guard lock(mutex_);
  for (Use& use : uses_) {
    if (use.stream == &stream) {
      use.event = std::move(event);
      return;
    }
  }
  uses_.push_back({&stream, std::move(event)});
}

std::string DenseSimTensor::ToString() const {
  return StrCat("DenseSimTensor dtype = ", DTypeName(dtype()), ", shape = ", shape().ToString(),
                ", on ", memory_space().name());
}

}  // namespace tfrt::sim
