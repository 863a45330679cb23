// Parameters that a kernel's function may take beside payloads; kernel.h lists them. They are
// arguments with their values, results, attributes, and all remaining ones of a kind. Like the
// frame, each lives during the kernel's call.
#ifndef TFRT_HOST_CONTEXT_KERNEL_PARAMETERS_H_
#define TFRT_HOST_CONTEXT_KERNEL_PARAMETERS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/host_context/kernel_registry.h"
#include "tfrt/support/status.h"

namespace tfrt {

// An argument together with the AsyncValue that holds it. Argument<AsyncValue> fits any type.
template <typename T>
class Argument {
 public:
  Argument(const AsyncKernelFrame* frame, uint32_t index) : frame_(frame), index_(index) {}
  AsyncValue* value() const { return frame_->argument(index_); }
  RCReference<AsyncValue> ValueRef() const { return FormRef(value()); }
  AsyncValueRef<T> TypedRef() const { return AsyncValueRef<T>(ValueRef()); }
  T& get() const { return value()->template get<T>(); }
  T& operator*() const { return get(); }
  T* operator->() const { return &get(); }
  // True if the kernel may reuse the payload in place. Valid until the kernel returns. A kernel
  // that keeps the argument must also keep the returned value.
  bool IsUnique() const { return frame_->IsUniqueArgument(index_); }

 private:
  const AsyncKernelFrame* frame_;
  uint32_t index_;
};

class RemainingArguments {
 public:
  RemainingArguments(const AsyncKernelFrame* frame, uint32_t begin)
      : frame_(frame), begin_(begin) {}
  size_t size() const { return frame_->num_arguments() - begin_; }
  AsyncValue* operator[](size_t index) const { return frame_->argument(begin_ + index); }
  bool IsUnique(size_t index) const { return frame_->IsUniqueArgument(begin_ + index); }
  // Borrowed pointers, for Function::Execute; owned references, to keep.
  std::vector<AsyncValue*> values() const {
    std::vector<AsyncValue*> values(size());
    for (size_t i = 0; i < values.size(); ++i) values[i] = (*this)[i];
    return values;
  }
  std::vector<RCReference<AsyncValue>> ValueRefs() const {
    std::vector<RCReference<AsyncValue>> refs(size());
    for (size_t i = 0; i < refs.size(); ++i) refs[i] = FormRef((*this)[i]);
    return refs;
  }

 private:
  const AsyncKernelFrame* frame_;
  uint32_t begin_;
};

template <typename T>
class RepeatedArguments {
 public:
  RepeatedArguments(const AsyncKernelFrame* frame, uint32_t begin) : rest_(frame, begin) {}
  size_t size() const { return rest_.size(); }
  T& operator[](size_t index) const { return rest_[index]->template get<T>(); }
  AsyncValue* value(size_t index) const { return rest_[index]; }
  bool IsUnique(size_t index) const { return rest_.IsUnique(index); }

 private:
  RemainingArguments rest_;
};

template <typename T>
class Result {
 public:
  Result(const AsyncKernelFrame* frame, uint32_t index) : frame_(frame), index_(index) {}
  template <typename... Args>
  void Emplace(Args&&... args) const {
    frame_->EmplaceResult<T>(index_, std::forward<Args>(args)...);
  }
  void Set(AsyncValueRef<T> value) const { frame_->SetResult(index_, value.ReleaseRCRef()); }
  void Set(RCReference<AsyncValue> value) const { frame_->SetResult(index_, std::move(value)); }
  AsyncValueRef<T> Allocate() const { return frame_->AllocateResult<T>(index_); }
  RCReference<IndirectAsyncValue> AllocateIndirect() const {
    return frame_->AllocateIndirectResult(index_);
  }

 private:
  const AsyncKernelFrame* frame_;
  uint32_t index_;
};

class RemainingResults {
 public:
  RemainingResults(const AsyncKernelFrame* frame, uint32_t begin) : frame_(frame), begin_(begin) {}
  size_t size() const { return frame_->num_results() - begin_; }
  void Set(size_t index, RCReference<AsyncValue> value) const {
    frame_->SetResult(begin_ + index, std::move(value));
  }
  template <typename T, typename... Args>
  void Emplace(size_t index, Args&&... args) const {
    frame_->EmplaceResult<T>(begin_ + index, std::forward<Args>(args)...);
  }
  template <typename T>
  AsyncValueRef<T> Allocate(size_t index) const {
    return frame_->AllocateResult<T>(begin_ + index);
  }
  RCReference<IndirectAsyncValue> AllocateIndirect(size_t index) const {
    return frame_->AllocateIndirectResult(begin_ + index);
  }
  // Returns all of them, to be set in place, as Function::Execute does. Null at first.
  std::span<RCReference<AsyncValue>> references() const {
    return frame_->ResultReferences().subspan(begin_);
  }

 private:
  const AsyncKernelFrame* frame_;
  uint32_t begin_;
};

// An attribute of any kind; the kernel must know its kind. Its layout is not checked.
struct AnyAttribute {
  static constexpr AttributeCode kCode = kAnyAttribute;
  explicit AnyAttribute(const uint8_t* d) : data(d) {}
  const uint8_t* data;
};

// The remaining attributes. RemainingAttributes does not check their kind. With an attribute type,
// as in RepeatedAttributes<Attribute<int32_t>>, each must be of that kind.
template <typename A>
class RepeatedAttributes {
 public:
  explicit RepeatedAttributes(std::span<const uint8_t* const> data) : data_(data) {}
  size_t size() const { return data_.size(); }
  A operator[](size_t index) const { return A(data_[index]); }

 private:
  std::span<const uint8_t* const> data_;
};
using RemainingAttributes = RepeatedAttributes<AnyAttribute>;

using RemainingFunctions = std::span<const Function* const>;

class KernelErrorHandler {
 public:
  explicit KernelErrorHandler(const AsyncKernelFrame* frame) : frame_(frame) {}
  void ReportError(std::string_view message) const { frame_->ReportError(message); }
  void ReportError(Status error) const { frame_->ReportError(std::move(error)); }

 private:
  const AsyncKernelFrame* frame_;
};

class RemainingSyncArguments {
 public:
  RemainingSyncArguments(const SyncKernelFrame* frame, uint32_t begin)
      : frame_(frame), begin_(begin) {}
  size_t size() const { return frame_->num_arguments() - begin_; }
  Value& operator[](size_t index) const { return frame_->argument(begin_ + index); }

 private:
  const SyncKernelFrame* frame_;
  uint32_t begin_;
};

template <typename T>
class RepeatedSyncArguments {
 public:
  RepeatedSyncArguments(const SyncKernelFrame* frame, uint32_t begin) : rest_(frame, begin) {}
  size_t size() const { return rest_.size(); }
  T& operator[](size_t index) const { return rest_[index].template get<T>(); }

 private:
  RemainingSyncArguments rest_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_KERNEL_PARAMETERS_H_
