#include "lib/runtime/host/function_call.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// One execution of tfrt.while. Owned by whatever will run next: the kernel, a task, or the waiter
// on a condition; so no two threads ever use it at once.
class WhileLoop {
 public:
  WhileLoop(const Function* body, const ExecutionContext& exec_ctx, bool as_tasks,
            ValueRefs loop_values, Placeholders results)
      : body_(FormRef(body)),
        exec_ctx_(exec_ctx),
        as_tasks_(as_tasks),
        loop_values_(std::move(loop_values)),
        results_(std::move(results)) {}

  // Goes on from the first condition, or from the one the body returned last.
  static void Continue(std::unique_ptr<WhileLoop> loop, bool condition) {
    while (condition) {
      if (AsyncValue* cancelled = loop->exec_ctx_.request_ctx()->GetCancelAsyncValue()) {
        return ForwardAllTo(loop->results_, FormRef(cancelled));
      }
      if (loop->as_tasks_) {
        loop->EnqueueBody();
      } else {
        loop->RunBody();
      }
      if (!loop->condition_->IsAvailable()) return WaitForCondition(std::move(loop));
      if (!loop->HasCondition()) return Fail(std::move(loop));
      condition = loop->condition_->get<bool>();
    }
    ForwardAll(loop->results_, std::move(loop->loop_values_));
  }

 private:
  // The previous values are held until the body's execution has returned, so it took what it needs.
  void RunBody() {
    ValueRefs values(loop_values_.size() + 1);
    body_->Execute(exec_ctx_, Borrow(loop_values_), values);
    TakeOver(std::move(values));
  }

  void EnqueueBody() {
    ValueRefs values(loop_values_.size() + 1);
    Placeholders placeholders = MakePlaceholders(values);
    EnqueueCall(body_, exec_ctx_, std::move(loop_values_), std::move(placeholders));
    TakeOver(std::move(values));
  }

  void TakeOver(ValueRefs values) {
    condition_ = std::move(values.back());
    values.pop_back();
    loop_values_ = std::move(values);
  }

  // In a new task, so that a long loop does not nest in the call stack of whoever resolves
  // conditions. Bodies that are tasks themselves bound the nesting already.
  static void WaitForCondition(std::unique_ptr<WhileLoop> loop) {
    AsyncValue* condition = loop->condition_.get();
    condition->AndThen([loop = std::move(loop)]() mutable {
      if (loop->as_tasks_) return Resume(std::move(loop));
      const ExecutionContext exec_ctx = loop->exec_ctx_;
      EnqueueWork(exec_ctx, [loop = std::move(loop)]() mutable { Resume(std::move(loop)); });
    });
  }

  static void Resume(std::unique_ptr<WhileLoop> loop) {
    if (!loop->HasCondition()) return Fail(std::move(loop));
    bool condition = loop->condition_->get<bool>();
    Continue(std::move(loop), condition);
  }

  bool HasCondition() const { return condition_->IsConcrete() && condition_->IsType<bool>(); }

  // The condition is an error: so are all results, but not before the loop's values are resolved.
  static void Fail(std::unique_ptr<WhileLoop> loop) {
    if (!loop->condition_->IsError()) {
      loop->condition_ = MakeErrorAsyncValue(EmitError(
          loop->exec_ctx_,
          InvalidArgumentError(StrCat("tfrt.while needs a condition of type 'bool', but '",
                                      loop->body_->name(), "' returned '",
                                      TypeName(loop->condition_->type_id()), "'"))));
    }
    std::vector<AsyncValue*> values = Borrow(loop->loop_values_);
    RunWhenReady(values,
                 [loop = std::move(loop)] { ForwardAllTo(loop->results_, loop->condition_); });
  }

  const RCReference<const Function> body_;
  const ExecutionContext exec_ctx_;
  const bool as_tasks_;
  ValueRefs loop_values_;
  RCReference<AsyncValue> condition_;  // null until the body has run once
  const Placeholders results_;
};

void While(bool condition, RemainingArguments loop_values, RemainingResults results,
           const Function* body, Attribute<int64_t> parallel_iterations, KernelErrorHandler handler,
           const ExecutionContext& exec_ctx) {
  Status status = CheckBodyArity("tfrt.while", *body, loop_values.size(), loop_values.size() + 1);
  if (status.ok() && results.size() != loop_values.size()) {
    status = InvalidArgumentError(StrCat("tfrt.while has ", loop_values.size(),
                                         " loop values, but ", results.size(), " results"));
  }
  if (!status.ok()) return handler.ReportError(std::move(status));
  WhileLoop::Continue(
      std::make_unique<WhileLoop>(body, exec_ctx, *parallel_iterations > 1, loop_values.ValueRefs(),
                                  AllocatePlaceholders(results)),
      condition);
}

}  // namespace

void RegisterWhileKernel(KernelRegistry* registry) {
  registry->AddKernel("tfrt.while", TFRT_KERNEL(While));
}

}  // namespace tfrt
