// Helpers for calls of functions: borrowed and kept values, and results that become available
// later.
#ifndef TFRT_LIB_RUNTIME_HOST_FUNCTION_CALL_H_
#define TFRT_LIB_RUNTIME_HOST_FUNCTION_CALL_H_

#include <cassert>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/host_context/function.h"
#include "tfrt/host_context/kernel_parameters.h"

namespace tfrt {

using ValueRefs = std::vector<RCReference<AsyncValue>>;
using Placeholders = std::vector<RCReference<IndirectAsyncValue>>;

// Holds borrowed pointers to the values of one call: on the stack while they are few.
class CallBuffer {
 public:
  explicit CallBuffer(size_t size) : size_(size) {
    if (size > kInline) heap_ = std::make_unique<AsyncValue*[]>(size);
  }
  std::span<AsyncValue*> span() { return {heap_ ? heap_.get() : inline_, size_}; }
  AsyncValue*& operator[](size_t index) { return span()[index]; }

 private:
  static constexpr size_t kInline = 8;
  size_t size_;
  AsyncValue* inline_[kInline];  // set by the user
  std::unique_ptr<AsyncValue*[]> heap_;
};

// Returns borrowed pointers to values that `refs` owns.
inline std::vector<AsyncValue*> Borrow(std::span<const RCReference<AsyncValue>> refs) {
  std::vector<AsyncValue*> values(refs.size());
  for (size_t i = 0; i < refs.size(); ++i) values[i] = refs[i].get();
  return values;
}
// Returns references that keep borrowed values.
inline ValueRefs Keep(std::span<AsyncValue* const> values) {
  ValueRefs refs(values.size());
  for (size_t i = 0; i < refs.size(); ++i) refs[i] = FormRef(values[i]);
  return refs;
}

// Makes every result an indirect value and returns them.
Placeholders AllocatePlaceholders(RemainingResults results);
// As above, outside of kernels: replaces the values that `results` hold.
inline Placeholders MakePlaceholders(std::span<RCReference<AsyncValue>> results) {
  Placeholders placeholders(results.size());
  for (size_t i = 0; i < results.size(); ++i) {
    placeholders[i] = MakeIndirectAsyncValue();
    placeholders[i]->AddRefOfNew();
    results[i] = TakeRef<AsyncValue>(placeholders[i].get());
  }
  return placeholders;
}

// Forwards each placeholder to the value of its position.
inline void ForwardAll(const Placeholders& placeholders, ValueRefs values) {
  assert(placeholders.size() == values.size());
  for (size_t i = 0; i < placeholders.size(); ++i) placeholders[i]->ForwardTo(std::move(values[i]));
}
// Forwards all placeholders to one value.
inline void ForwardAllTo(const Placeholders& placeholders, const RCReference<AsyncValue>& value) {
  for (const auto& placeholder : placeholders) placeholder->ForwardTo(value);
}

// Runs `function` on this thread. The kernel's frame holds the arguments meanwhile. The function's
// results, available or not, become the kernel's.
void CallFunction(const Function* function, const ExecutionContext& exec_ctx,
                  RemainingArguments arguments, RemainingResults results);

// Runs `function` in a separate task and forwards the placeholders to its results. The task holds
// the arguments until it is destroyed.
void EnqueueCall(RCReference<const Function> function, const ExecutionContext& exec_ctx,
                 ValueRefs arguments, Placeholders placeholders);

// Returns InvalidArgument unless a loop body takes `num_arguments` values and returns
// `num_results`.
Status CheckBodyArity(std::string_view kernel, const Function& body, size_t num_arguments,
                      size_t num_results);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_HOST_FUNCTION_CALL_H_
