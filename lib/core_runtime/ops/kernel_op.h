// Eager ops computed by graph kernels, so that both have the same bits and the same speed.
#ifndef TFRT_CORE_RUNTIME_OPS_KERNEL_OP_H_
#define TFRT_CORE_RUNTIME_OPS_KERNEL_OP_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt {

// The kernel of this name among tfrt_cpu.* and eigen.*. Asserts that there is one. Looks it up by
// name: keep it.
AsyncKernel FindCpuKernel(std::string_view name);

// Runs a kernel of type (inputs..., out, chain) -> chain with the attributes, which are encoded and
// in the order of their names, and makes `out` the call's result `index`.
void RunKernel(OpCall& call, AsyncKernel kernel, std::span<AsyncValue* const> inputs,
               std::span<const uint8_t* const> attributes, DenseHostTensor out, size_t index = 0);
inline void RunKernel(OpCall& call, AsyncKernel kernel, std::initializer_list<AsyncValue*> inputs,
                      std::initializer_list<const uint8_t*> attributes, DenseHostTensor out,
                      size_t index = 0) {
  RunKernel(call, kernel, std::span(inputs.begin(), inputs.size()),
            std::span(attributes.begin(), attributes.size()), std::move(out), index);
}

// The same without handing over the result: the chain, which may be an error that has been
// reported.
RCReference<AsyncValue> StartKernel(OpCall& call, AsyncKernel kernel,
                                    std::span<AsyncValue* const> inputs,
                                    std::span<const uint8_t* const> attributes,
                                    const AsyncValueRef<DenseHostTensor>& out);

// Attributes that an op computes, as kernels read them.

// A scalar; `value` must outlive the call.
template <typename T>
const uint8_t* Encoded(const T& value) {
  return reinterpret_cast<const uint8_t*>(&value);
}

class EncodedI64s {
 public:
  explicit EncodedI64s(std::span<const int64_t> values) {
    if (values.size() > kInline) heap_ = std::make_unique<int64_t[]>(values.size() + 1);
    auto count = static_cast<uint32_t>(values.size());
    std::memcpy(words() + 4, &count, sizeof(count));
    if (count > 0) std::memcpy(words() + 8, values.data(), count * sizeof(int64_t));
  }
  // A count in front of aligned elements.
  const uint8_t* data() { return words() + 4; }

 private:
  static constexpr size_t kInline = 8;
  uint8_t* words() { return reinterpret_cast<uint8_t*>(heap_ ? heap_.get() : inline_); }

  int64_t inline_[kInline + 1];
  std::unique_ptr<int64_t[]> heap_;
};

// Up to 28 characters.
class EncodedString {
 public:
  explicit EncodedString(std::string_view text) {
    auto count = static_cast<uint32_t>(text.size());
    assert(count <= sizeof(bytes_) - 4);
    std::memcpy(bytes_, &count, sizeof(count));
    std::copy(text.begin(), text.end(), bytes_ + 4);
  }
  const uint8_t* data() const { return bytes_; }

 private:
  alignas(4) uint8_t bytes_[32];
};

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OPS_KERNEL_OP_H_
