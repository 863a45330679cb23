#include "tfrt/tensor/string_host_tensor.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr size_t kMaxPrintedStrings = 16;
// Above this many strings the text says that some are missing. Programs match that, odd as it is.
constexpr size_t kMaxStringsWithoutMark = 32;

}  // namespace

StringHostTensor::StringArray::StringArray(RCReference<HostBuffer> buffer, size_t size)
    : buffer_(std::move(buffer)), strings_(static_cast<std::string*>(buffer_->data()), size) {
  std::uninitialized_value_construct(strings_.begin(), strings_.end());
}

StringHostTensor::StringArray::~StringArray() { std::destroy(strings_.begin(), strings_.end()); }

StatusOr<StringHostTensor> StringHostTensor::CreateEmpty(TensorShape shape,
                                                         HostAllocator* allocator) {
  TFRT_RETURN_IF_ERROR(shape.CheckSize());
  size_t size_bytes;
  auto size = static_cast<size_t>(shape.num_elements());
  if (__builtin_mul_overflow(size, sizeof(std::string), &size_bytes)) {
    return ResourceExhaustedError("Failed to create SHT");
  }
  auto buffer = HostBuffer::CreateUninitialized(size_bytes, alignof(std::string), allocator);
  if (!buffer) return ResourceExhaustedError("Failed to create SHT");
  return StringHostTensor(std::move(shape), MakeRef<StringArray>(std::move(buffer), size));
}

std::string StringHostTensor::ToString() const {
  std::string text = StrCat("StringHostTensor shape = ", shape().ToString(), ", values = [");
  std::span<const std::string> all = strings();
  for (size_t i = 0; i < std::min(all.size(), kMaxPrintedStrings); ++i) {
    text += StrCat(i == 0 ? "\"" : ", \"", all[i], "\"");
  }
  if (all.size() > kMaxStringsWithoutMark) text += ", ... ";
  return text + "]";
}

}  // namespace tfrt
