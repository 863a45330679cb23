#include <algorithm>
#include <span>
#include <utility>

#include "lib/runtime/host/function_call.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// One execution of tfrt.repeat.i32. Owned by whatever will run next: the kernel, or the waiter on a
// loop value.
class RepeatLoop {
 public:
  RepeatLoop(int32_t count, const Function* body, const ExecutionContext& exec_ctx,
             ValueRefs loop_values, Placeholders results)
      : iterations_left_(count),
        body_(FormRef(body)),
        exec_ctx_(exec_ctx),
        loop_values_(std::move(loop_values)),
        next_values_(loop_values_.size()),
        results_(std::move(results)) {}

  // Runs blocks of iterations back to back. After each block the first loop value must be resolved
  // before the next, which bounds how far the loop runs ahead of its asynchronous work.
  static void Continue(std::unique_ptr<RepeatLoop> loop) {
    do {
      if (!loop->RunBlock()) return;
      if (loop->iterations_left_ == 0)
        return ForwardAll(loop->results_, std::move(loop->loop_values_));
    } while (loop->loop_values_.empty() || loop->loop_values_[0]->IsAvailable());
    AsyncValue* first = loop->loop_values_[0].get();
    first->AndThen([loop = std::move(loop)]() mutable { Continue(std::move(loop)); });
  }

 private:
  static constexpr int kBlockSize = 32;

  // False if the request was cancelled; the results are then set.
  bool RunBlock() {
    const int num_iterations = std::min(kBlockSize, iterations_left_);
    // Pointers change places, not the vectors: a call leaves null references where it takes from.
    std::span<RCReference<AsyncValue>> values = loop_values_;
    std::span<RCReference<AsyncValue>> next_values = next_values_;
    for (int i = 0; i < num_iterations; ++i) {
      if (AsyncValue* cancelled = exec_ctx_.request_ctx()->GetCancelAsyncValue()) {
        ForwardAllTo(results_, FormRef(cancelled));
        return false;
      }
      body_->ExecuteByValue(exec_ctx_, values, next_values);
      std::swap(values, next_values);
    }
    iterations_left_ -= num_iterations;
    if (num_iterations % 2 != 0) loop_values_.swap(next_values_);
    return true;
  }

  int32_t iterations_left_;
  const RCReference<const Function> body_;
  const ExecutionContext exec_ctx_;
  ValueRefs loop_values_;
  ValueRefs next_values_;  // null between iterations
  const Placeholders results_;
};

void Repeat(int32_t count, RemainingArguments loop_values, RemainingResults results,
            const Function* body, KernelErrorHandler handler, const ExecutionContext& exec_ctx) {
  Status status = CheckBodyArity("tfrt.repeat.i32", *body, loop_values.size(), loop_values.size());
  if (status.ok() && results.size() != loop_values.size()) {
    status = InvalidArgumentError(StrCat("tfrt.repeat.i32 has ", loop_values.size(),
                                         " loop values, but ", results.size(), " results"));
  }
  if (status.ok() && count < 0) {
    status = InvalidArgumentError(StrCat("tfrt.repeat.i32 cannot run ", count, " times"));
  }
  if (!status.ok()) return handler.ReportError(std::move(status));
  RepeatLoop::Continue(std::make_unique<RepeatLoop>(count, body, exec_ctx, loop_values.ValueRefs(),
                                                    AllocatePlaceholders(results)));
}

}  // namespace

void RegisterRepeatKernel(KernelRegistry* registry) {
  registry->AddKernel("tfrt.repeat.i32", TFRT_KERNEL(Repeat), KernelFlags::kAsItsFunctions);
}

}  // namespace tfrt
