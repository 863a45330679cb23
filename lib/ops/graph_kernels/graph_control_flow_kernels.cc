// graph.if_call and graph.loop_call: functions that tensors choose and repeat.

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph_kernel_groups.h"
#include "lib/ops/host_ops/op_output.h"
#include "lib/ops/op_call/run_resources.h"
#include "lib/runtime/host/function_call.h"
#include "tfrt/host_context/diagnostic.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace {

// The one element of a tensor, as `T`, whose dtype it must have.
template <typename T>
StatusOr<T> ElementOf(const AsyncValue& value, std::string_view name, DType dtype) {
  // An operand of a kernel that a program calls non-strict may be anything.
  if (!value.IsConcrete() || !value.IsType<Tensor>() ||
      value.get<Tensor>().tensor_type() != kDenseHostTensorType) {
    return InvalidArgumentError(StrCat(name, " is no tensor of the host"));
  }
  const auto& tensor = value.get<DenseHostTensor>();
  if (tensor.dtype() != dtype || tensor.num_elements() != 1) {
    return InvalidArgumentError(StrCat(name, " is ", DTypeName(tensor.dtype()), " ",
                                       tensor.shape().ToString(), ", expected one element of ",
                                       DTypeName(dtype)));
  }
  // A byte of a bool may be any number.
  std::conditional_t<std::is_same_v<T, bool>, uint8_t, T> element;
  std::memcpy(&element, tensor.data(), sizeof(T));
  return static_cast<T>(element);
}

// A tensor of the run's, or of the host's.
StatusOr<DenseHostTensor> Allocate(const ExecutionContext& exec_ctx, TensorMetadata metadata) {
  const auto* resources = exec_ctx.request_ctx()->GetDataIfExists<RunResources>();
  HostAllocator* allocator =
      resources && resources->allocator ? resources->allocator : exec_ctx.host()->allocator();
  return DenseHostTensor::CreateUninitialized(std::move(metadata), allocator);
}

// Makes the results of a call come together, once none of them is being computed any more: who has
// those that it wants may take away what the others are made of, such as a model's inputs.
void JoinResults(std::span<RCReference<AsyncValue>> results) {
  const bool all_there =
      std::ranges::all_of(results, [](const auto& result) { return result->IsAvailable(); });
  if (all_there || results.size() == 1) return;
  ValueRefs values(std::move_iterator(results.begin()), std::move_iterator(results.end()));
  const std::vector<AsyncValue*> awaited = Borrow(values);
  RunWhenReady(awaited,
               [values = std::move(values), placeholders = MakePlaceholders(results)]() mutable {
                 ForwardAll(placeholders, std::move(values));
               });
}

// The functions are in the order of their attributes' names.
void IfCall(RemainingArguments arguments, RemainingResults results, const Function* else_function,
            const Function* then_function, KernelErrorHandler errors,
            const ExecutionContext& exec_ctx) {
  if (arguments.size() == 0) return errors.ReportError("graph.if_call needs a condition");
  StatusOr<bool> condition = ElementOf<bool>(*arguments[0], "the condition", DType::kI1);
  if (!condition.ok()) return errors.ReportError(AtItsPlace(exec_ctx, condition.status()));
  std::vector<AsyncValue*> captured = arguments.values();
  const Function* function = *condition ? then_function : else_function;
  function->Execute(exec_ctx, std::span(captured).subspan(1), results.references());
  JoinResults(results.references());
}

// Holds the known facts of a result that stacks one value of each run.
struct StackedType {
  DType dtype;
  std::optional<std::vector<int64_t>> sizes;  // of one value, -1: not known
};

StatusOr<std::vector<StackedType>> ReadStacked(ArrayAttribute<int64_t> numbers) {
  std::vector<StackedType> types;
  for (size_t at = 0; at < numbers.size();) {
    const size_t left = numbers.size() - at;
    const int64_t rank = left > 1 ? numbers[at + 1] : -2;
    if (rank < -1 || rank > static_cast<int64_t>(left) - 2) {
      return InvalidArgumentError("graph.loop_call: 'stacked' is not dtypes, ranks and sizes");
    }
    StackedType type{static_cast<DType>(numbers[at])};
    at += 2;
    if (rank >= 0) type.sizes.emplace();
    for (int64_t i = 0; i < rank; ++i) type.sizes->push_back(numbers[at++]);
    if (DTypeSize(type.dtype) == 0) {
      return InvalidArgumentError("graph.loop_call: 'stacked' has no element type");
    }
    types.push_back(std::move(type));
  }
  return types;
}

// One execution of graph.loop_call. Owned by whatever runs next: the kernel, a task, or the waiter
// on a value; so no two threads ever use it at once.
class GraphLoop {
 public:
  struct Start {
    std::optional<int64_t> count;
    ValueRefs values;  // the condition, what is carried, what is captured
    size_t num_carried;
    std::vector<StackedType> stacked;
  };
  GraphLoop(const Function* body, const ExecutionContext& exec_ctx, Start start,
            Placeholders results)
      : body_(FormRef(body)),
        exec_ctx_(exec_ctx),
        start_(std::move(start)),
        stacked_(start_.stacked.size()),
        results_(std::move(results)) {}

  // Goes on from a condition that is there. Runs without waiting for what is carried: the body's
  // kernels do that. As many conditions as are there at once are followed here.
  static void Continue(std::unique_ptr<GraphLoop> loop) {
    for (;;) {
      if (AsyncValue* cancelled = loop->exec_ctx_.request_ctx()->GetCancelAsyncValue()) {
        return Fail(std::move(loop), FormRef(cancelled));
      }
      AsyncValue* condition = loop->start_.values[0].get();
      if (condition->IsError()) return Fail(std::move(loop), FormRef(condition));
      StatusOr<bool> go_on = ElementOf<bool>(*condition, "a loop's condition", DType::kI1);
      if (!go_on.ok()) return Fail(std::move(loop), go_on.status());
      if (!*go_on || (loop->start_.count && loop->done_ >= *loop->start_.count)) {
        return Finish(std::move(loop));
      }
      if (AsyncValue* error = loop->FindError()) return Fail(std::move(loop), FormRef(error));
      Status status = loop->RunBody();
      if (!status.ok()) return Fail(std::move(loop), std::move(status));
      // Waits for what is carried, too, now and then: a loop must not run far ahead of its work.
      std::vector<AsyncValue*> awaited = {loop->start_.values[0].get()};
      if (loop->done_ % kRunsAhead == 0) {
        for (size_t i = 1; i <= loop->start_.num_carried; ++i) {
          awaited.push_back(loop->start_.values[i].get());
        }
        for (const ValueRefs& runs : loop->stacked_) awaited.push_back(runs.back().get());
      }
      bool all_there = true;
      for (AsyncValue* value : awaited) all_there = all_there && value->IsAvailable();
      if (all_there) continue;
      // In a task of its own, so that a long loop does not nest in the stack of who makes values.
      return RunWhenReady(awaited, [loop = std::move(loop)]() mutable {
        const ExecutionContext exec_ctx = loop->exec_ctx_;
        EnqueueWork(exec_ctx, [loop = std::move(loop)]() mutable { Continue(std::move(loop)); });
      });
    }
  }

 private:
  static constexpr int64_t kRunsAhead = 32;

  Status RunBody() {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor number,
                          Allocate(exec_ctx_, {DType::kI64, TensorShape({})}));
    *WritableData<int64_t>(number) = done_;
    ValueRefs arguments;
    arguments.reserve(1 + start_.values.size());
    arguments.push_back(
        MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(number)).ReleaseRCRef());
    // The body takes carried values over; the next run needs captured values, too.
    const size_t num_own = 1 + start_.num_carried;
    for (size_t i = 0; i < num_own; ++i) arguments.push_back(std::move(start_.values[i]));
    for (size_t i = num_own; i < start_.values.size(); ++i) arguments.push_back(start_.values[i]);
    ValueRefs returned(body_->num_results());
    body_->ExecuteByValue(exec_ctx_, arguments, returned);
    for (size_t i = 0; i < num_own; ++i) start_.values[i] = std::move(returned[i]);
    for (size_t i = 0; i < stacked_.size(); ++i) {
      stacked_[i].push_back(std::move(returned[num_own + i]));
    }
    ++done_;
    return OkStatus();
  }

  // Returns the first carried value that is an error, or null: a loop that only counts would go on
  // with it to no purpose. Looks only where all carried values are available, so that a loop always
  // ends at the same run.
  AsyncValue* FindError() const {
    if (done_ % kRunsAhead != 0) return nullptr;
    for (size_t i = 1; i <= start_.num_carried; ++i) {
      if (start_.values[i]->IsError()) return start_.values[i].get();
    }
    return nullptr;
  }

  static void Fail(std::unique_ptr<GraphLoop> loop, Status status) {
    const ExecutionContext& exec_ctx = loop->exec_ctx_;
    RCReference<AsyncValue> error =
        MakeErrorAsyncValue(EmitError(exec_ctx, AtItsPlace(exec_ctx, std::move(status))));
    Fail(std::move(loop), std::move(error));
  }
  // Once the bodies that have been started are over, as JoinResults has it.
  static void Fail(std::unique_ptr<GraphLoop> loop, RCReference<AsyncValue> error) {
    const std::vector<AsyncValue*> awaited = loop->Awaited();
    RunWhenReady(awaited, [loop = std::move(loop), error = std::move(error)] {
      ForwardAllTo(loop->results_, error);
    });
  }

  // Together, as JoinResults has it.
  static void Finish(std::unique_ptr<GraphLoop> loop) {
    const std::vector<AsyncValue*> awaited = loop->Awaited();
    RunWhenReady(awaited, [loop = std::move(loop)] {
      const size_t num_carried = loop->start_.num_carried;
      for (size_t i = 0; i < num_carried; ++i) {
        loop->results_[i]->ForwardTo(std::move(loop->start_.values[1 + i]));
      }
      loop->start_.values.clear();
      for (size_t i = 0; i < loop->stacked_.size(); ++i) {
        loop->results_[num_carried + i]->ForwardTo(loop->Stack(i));
      }
    });
  }

  // All that bodies compute still.
  std::vector<AsyncValue*> Awaited() const {
    std::vector<AsyncValue*> awaited = Borrow(start_.values);
    for (const ValueRefs& runs : stacked_) {
      for (const RCReference<AsyncValue>& value : runs) awaited.push_back(value.get());
    }
    return awaited;
  }

  RCReference<AsyncValue> Stack(size_t index) {
    const ValueRefs& runs = stacked_[index];
    for (const RCReference<AsyncValue>& value : runs) {
      if (value->IsError()) return value;
    }
    StatusOr<DenseHostTensor> all = StackTensors(start_.stacked[index], runs);
    if (!all.ok()) {
      return MakeErrorAsyncValue(EmitError(exec_ctx_, AtItsPlace(exec_ctx_, all.status())));
    }
    return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(all)).ReleaseRCRef();
  }

  StatusOr<DenseHostTensor> StackTensors(const StackedType& type, const ValueRefs& runs) {
    std::vector<int64_t> sizes = {static_cast<int64_t>(runs.size())};
    if (runs.empty()) {
      for (int64_t size : type.sizes.value_or(std::vector<int64_t>())) {
        sizes.push_back(size < 0 ? 0 : size);
      }
      TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(sizes));
      return Allocate(exec_ctx_, {type.dtype, std::move(shape)});
    }
    for (const RCReference<AsyncValue>& value : runs) {
      if (!value->IsType<Tensor>() || value->get<Tensor>().tensor_type() != kDenseHostTensorType) {
        return InvalidArgumentError("a loop stacks what is no tensor of the host");
      }
    }
    const TensorMetadata& first = runs[0]->get<DenseHostTensor>().metadata();
    for (size_t i = 0; i < first.shape.rank(); ++i) sizes.push_back(first.shape.dim(i));
    TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(sizes));
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor all,
                          Allocate(exec_ctx_, {first.dtype, std::move(shape)}));
    auto* to = WritableData<char>(all);
    for (const RCReference<AsyncValue>& value : runs) {
      const auto& tensor = value->get<DenseHostTensor>();
      if (tensor.metadata() != first) {
        return InvalidArgumentError(StrCat("a loop stacks values of ", first.shape.ToString(),
                                           ", but one is ", tensor.shape().ToString()));
      }
      if (tensor.size_bytes() > 0) std::memcpy(to, tensor.data(), tensor.size_bytes());
      to += tensor.size_bytes();
    }
    return StatusOr<DenseHostTensor>(std::move(all));
  }

  const RCReference<const Function> body_;
  const ExecutionContext exec_ctx_;
  Start start_;
  int64_t done_ = 0;
  std::vector<ValueRefs> stacked_;  // of each run
  const Placeholders results_;
};

StatusOr<RCReference<AsyncValue>> MakeTrue(const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor truth, Allocate(exec_ctx, {DType::kI1, TensorShape({})}));
  *WritableData<bool>(truth) = true;
  return MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(truth)).ReleaseRCRef();
}

StatusOr<GraphLoop::Start> ReadLoop(RemainingArguments arguments, size_t num_results,
                                    const Function& body, int64_t carried, bool has_condition,
                                    bool has_count, ArrayAttribute<int64_t> stacked,
                                    const ExecutionContext& exec_ctx) {
  GraphLoop::Start start;
  TFRT_ASSIGN_OR_RETURN(start.stacked, ReadStacked(stacked));
  start.num_carried = static_cast<size_t>(carried);
  const size_t bounds = size_t{has_condition} + size_t{has_count};
  if (carried < 0 || arguments.size() < bounds + start.num_carried ||
      num_results != start.num_carried + start.stacked.size()) {
    return InvalidArgumentError(StrCat("graph.loop_call has ", arguments.size(), " operands and ",
                                       num_results, " results for ", carried,
                                       " carried values and ", start.stacked.size(), " others"));
  }
  const size_t num_arguments = 2 + arguments.size() - bounds;
  TFRT_RETURN_IF_ERROR(CheckBodyArity("graph.loop_call", body, num_arguments, 1 + num_results));
  size_t at = 0;
  if (has_count) {
    TFRT_ASSIGN_OR_RETURN(start.count,
                          ElementOf<int64_t>(*arguments[at++], "a loop's count", DType::kI64));
  }
  ValueRefs all = arguments.ValueRefs();
  if (has_condition) {
    start.values.push_back(all[at++]);
  } else {
    TFRT_ASSIGN_OR_RETURN(RCReference<AsyncValue> truth, MakeTrue(exec_ctx));
    start.values.push_back(std::move(truth));
  }
  for (; at < all.size(); ++at) start.values.push_back(std::move(all[at]));
  return start;
}

void LoopCall(RemainingArguments arguments, RemainingResults results, const Function* body,
              Attribute<int64_t> carried, Attribute<bool> has_condition, Attribute<bool> has_count,
              ArrayAttribute<int64_t> stacked, KernelErrorHandler errors,
              const ExecutionContext& exec_ctx) {
  StatusOr<GraphLoop::Start> start = ReadLoop(arguments, results.size(), *body, *carried,
                                              *has_condition, *has_count, stacked, exec_ctx);
  if (!start.ok()) return errors.ReportError(AtItsPlace(exec_ctx, start.status()));
  GraphLoop::Continue(std::make_unique<GraphLoop>(body, exec_ctx, *std::move(start),
                                                  AllocatePlaceholders(results)));
}

}  // namespace

void RegisterGraphControlFlowKernels(KernelRegistry* registry) {
  registry->AddKernel("graph.if_call", TFRT_KERNEL(IfCall), KernelFlags::kAsItsFunctions);
  registry->AddKernel("graph.loop_call", TFRT_KERNEL(LoopCall));
}

}  // namespace tfrt
