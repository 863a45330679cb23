// How the control flow kernels run functions.
#ifndef TFRT_KERNELS_CONTROL_FLOW_FUNCTION_CALL_H_
#define TFRT_KERNELS_CONTROL_FLOW_FUNCTION_CALL_H_

#include <memory>
#include <span>
#include <vector>

#include "tfrt/host_context/function.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {

using ValueRefs = std::vector<RCReference<AsyncValue>>;
using Placeholders = std::vector<RCReference<IndirectAsyncValue>>;

// Room for borrowed pointers to the values of one call: on the stack while they are few.
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

// Borrowed pointers to values that `refs` owns.
std::vector<AsyncValue*> Borrow(const ValueRefs& refs);

// Runs `function` on this thread with arguments that the kernel's frame holds meanwhile; its
// results, available or not, become the kernel's.
void CallFunction(const Function* function, const ExecutionContext& exec_ctx,
                  RemainingArguments arguments, RemainingResults results);

// Makes every result an indirect value and returns them.
Placeholders AllocatePlaceholders(RemainingResults results);

// Forwards each placeholder to the value of its position, or all to one value.
void ForwardAll(const Placeholders& placeholders, const ValueRefs& values);
void ForwardAllTo(const Placeholders& placeholders, AsyncValue* value);

// Runs `function` in a task of its own and forwards the placeholders to its results. The task holds
// the arguments until it is destroyed.
void EnqueueCall(RCReference<const Function> function, const ExecutionContext& exec_ctx,
                 ValueRefs arguments, Placeholders placeholders);

// Checks that a loop body takes `num_arguments` values and returns `num_results`.
Status CheckBodyArity(std::string_view kernel, const Function& body, size_t num_arguments,
                      size_t num_results);

}  // namespace tfrt

#endif  // TFRT_KERNELS_CONTROL_FLOW_FUNCTION_CALL_H_
