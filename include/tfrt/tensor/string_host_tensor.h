// StringHostTensor: a dense tensor of strings in host memory, row-major.
#ifndef TFRT_TENSOR_STRING_HOST_TENSOR_H_
#define TFRT_TENSOR_STRING_HOST_TENSOR_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tfrt/async/type_id.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// Shares its strings as dense tensors share their buffers: ShareStrings makes a second tensor over
// them. Not synchronised: code that writes strings must be ordered against all other users.
class StringHostTensor final : public Tensor {
 public:
  static constexpr std::string_view kProgramTypeName = "string tensor";
  using AsyncValueBases = BaseTypes<Tensor>;

  // Makes a tensor of empty strings. Fails with ResourceExhausted "Failed to create SHT" if the
  // allocator fails. The allocator provides the array of strings and must outlive the tensor. The
  // characters of long strings come from the heap.
  static StatusOr<StringHostTensor> CreateEmpty(TensorShape shape, HostAllocator* allocator);

  StringHostTensor(StringHostTensor&&) = default;
  StringHostTensor& operator=(StringHostTensor&&) = default;

  StringHostTensor ShareStrings() const { return {shape(), strings_}; }

  std::span<const std::string> strings() const { return strings_->strings(); }
  std::span<std::string> MutableStrings() { return strings_->strings(); }

  TensorType tensor_type() const override { return kStringHostTensorType; }
  // Returns "StringHostTensor shape = [2], values = ["a", "b"]" with at most 16 strings, without
  // escapes. Omitted strings are marked only if there are 33 strings or more.
  std::string ToString() const override;

 private:
  class StringArray : public ReferenceCounted<StringArray> {
   public:
    // `buffer` has memory for `size` strings.
    StringArray(RCReference<HostBuffer> buffer, size_t size);
    ~StringArray();
    std::span<std::string> strings() { return strings_; }

   private:
    RCReference<HostBuffer> buffer_;
    std::span<std::string> strings_;
  };

  StringHostTensor(TensorShape shape, RCReference<StringArray> strings)
      : Tensor({DType::kString, std::move(shape)}), strings_(std::move(strings)) {}

  RCReference<StringArray> strings_;  // null only in a moved-from tensor
};

}  // namespace tfrt

#endif  // TFRT_TENSOR_STRING_HOST_TENSOR_H_
