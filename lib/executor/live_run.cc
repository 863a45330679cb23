// The live run: counted dataflow over the program's graph.
//
// Every kernel has a count of arguments that are not there yet; storing a register decrements its
// users, and whoever brings a count to zero makes the kernel ready. A register owns one reference and
// counts its remaining uses; the last use drops it. Nothing here blocks or takes a lock.
//
// Values that are not available are stored only when they are: a waiter then stores the register and
// continues from there, on the thread that made the value available.

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "ready_queue.h"
#include "run.h"
#include "tfrt/host_context/concurrent_work_queue.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/ref_count.h"

namespace tfrt::internal {
namespace {

// Continuations nested deeper than this on one thread go through the work queue.
constexpr int kMaxNestedContinuations = 100;
thread_local constinit int nested_continuations = 0;

// In a register of a program with non-strict kernels: this pointer is an indirect value that stands
// for a value which is not stored yet.
constexpr uintptr_t kPlaceholderBit = 1;
[[maybe_unused]] bool IsPlaceholder(AsyncValue* value) {
  return (reinterpret_cast<uintptr_t>(value) & kPlaceholderBit) != 0;
}
AsyncValue* MarkPlaceholder(AsyncValue* value) {
  return reinterpret_cast<AsyncValue*>(reinterpret_cast<uintptr_t>(value) | kPlaceholderBit);
}
AsyncValue* Unmark(AsyncValue* value) {
  return reinterpret_cast<AsyncValue*>(reinterpret_cast<uintptr_t>(value) & ~kPlaceholderBit);
}

class LiveRun : public ReferenceCounted<LiveRun> {
 public:
  LiveRun(const RunContext& context, const ExecutionContext& exec_ctx);
  ~LiveRun();

  void StartFromArguments(RunArguments arguments, std::span<RCReference<AsyncValue>> results);
  void StartFromStatic(const StaticProgress& progress, std::span<RCReference<AsyncValue>> results);

 private:
  // Counts.
  void DecrementUsers(uint32_t r, ReadyQueue* queue) {
    Decrement(program_.Indices(program_.registers[r].users), queue);
  }
  void Decrement(std::span<const uint32_t> kernels, ReadyQueue* queue);
  bool DecrementPending(uint32_t k);
  void ReleaseUse(uint32_t r);

  // Registers. Both take over the reference to `value`.
  void Publish(uint32_t r, AsyncValue* value, ReadyQueue* queue);
  void Store(uint32_t r, AsyncValue* value);
  RCReference<AsyncValue> PlaceholderFor(uint32_t r);

  // Running.
  void Loop(ReadyQueue* queue);
  void Settle(ReadyQueue* queue);
  void RunTask(std::span<const uint32_t> kernels);
  void Resume(uint32_t r, AsyncValue* value, uint32_t stream);
  void ContinueAfter(uint32_t r, AsyncValue* value, uint32_t stream);
  void Execute(uint32_t k, ReadyQueue* queue);
  void ExecuteNonStrict(uint32_t k, AsyncValue** results);
  ReadyQueue ReplayStatic(size_t num_steps);

  static bool IsLastUse(const AsyncKernelFrame& frame, uint32_t index);

  const Program& program_;
  const LocationHandler& locations_;
  RCReference<const Function> function_;  // keeps program_ alive
  const ExecutionContext exec_ctx_;
  std::vector<AsyncValue*> registers_;
  std::unique_ptr<std::atomic<uint32_t>[]> pending_;
  std::unique_ptr<std::atomic<uint32_t>[]> uses_left_;
  // Per result position; null where the result was there when the run went live.
  std::vector<RCReference<IndirectAsyncValue>> placeholders_;
};

LiveRun::LiveRun(const RunContext& context, const ExecutionContext& exec_ctx)
    : program_(context.program),
      locations_(context.locations),
      function_(FormRef(&context.function)),
      exec_ctx_(exec_ctx),
      registers_(program_.registers.size()),
      pending_(new std::atomic<uint32_t>[program_.kernels.size()]),
      uses_left_(new std::atomic<uint32_t>[program_.registers.size()]),
      placeholders_(program_.result_registers.size()) {
  for (size_t k = 0; k < program_.kernels.size(); ++k) {
    pending_[k].store(std::max(1u, program_.kernels[k].arguments.size), std::memory_order_relaxed);
  }
  // With non-strict kernels all users may be done before the value is stored, so storing it counts
  // as a use.
  uint32_t store_use = program_.has_non_strict ? 1 : 0;
  for (size_t r = 0; r < registers_.size(); ++r) {
    uses_left_[r].store(program_.registers[r].users.size + store_use, std::memory_order_relaxed);
  }
}

LiveRun::~LiveRun() {
  // All kernels have run unless a value never became available; then its registers end here.
  for (size_t r = 0; r < registers_.size(); ++r) {
    if (registers_[r] && uses_left_[r].load(std::memory_order_relaxed) != 0) {
      Unmark(registers_[r])->DropRef();
    }
  }
}

bool LiveRun::DecrementPending(uint32_t k) {
  if (program_.kernels[k].non_strict) {
    // Ready at the first decrement. acq_rel: as below.
    uint32_t initial = std::max(1u, program_.kernels[k].arguments.size);
    return pending_[k].fetch_sub(1, std::memory_order_acq_rel) == initial;
  }
  // release: publishes the register that was stored before. acquire: whoever reaches zero reads the
  // registers that the other decrements published. A count of one can only be ours, so the last
  // arrival needs no read-modify-write.
  return pending_[k].load(std::memory_order_acquire) == 1 ||
         pending_[k].fetch_sub(1, std::memory_order_acq_rel) == 1;
}

void LiveRun::Decrement(std::span<const uint32_t> kernels, ReadyQueue* queue) {
  for (uint32_t k : kernels) {
    if (DecrementPending(k)) queue->Push(k);
  }
}

void LiveRun::ReleaseUse(uint32_t r) {
  // acq_rel: the last user drops the value after all others have finished with it.
  if (uses_left_[r].load(std::memory_order_acquire) == 1) {
    uses_left_[r].store(0, std::memory_order_relaxed);
  } else if (uses_left_[r].fetch_sub(1, std::memory_order_acq_rel) != 1) {
    return;
  }
  if (AsyncValue* value = Unmark(registers_[r])) value->DropRef();
}

void LiveRun::Store(uint32_t r, AsyncValue* value) {
  const ProgramRegister& reg = program_.registers[r];
  if (reg.users.size == 0 && !reg.returned()) {
    value->DropRef();
    return;
  }
  if (reg.users.size != 0) {
    if (program_.has_non_strict) {
      // acq_rel: publishes the value to non-strict readers, and reads a placeholder they made.
      AsyncValue* old =
          std::atomic_ref(registers_[r]).exchange(value, std::memory_order_acq_rel);
      if (old) {
        assert(IsPlaceholder(old));
        auto* placeholder = static_cast<IndirectAsyncValue*>(Unmark(old));
        placeholder->ForwardTo(FormRef(value));
        placeholder->DropRef();
      }
    } else {
      registers_[r] = value;
    }
  }
  if (reg.returned()) {
    // Waiters of a result may do anything, including dropping it; ours must outlive them.
    std::span<const uint32_t> positions = program_.Indices(reg.returns);
    for (uint32_t p : positions) {
      if (!placeholders_[p]) continue;
      bool moves = reg.users.size == 0 && p == positions.back();
      placeholders_[p]->ForwardTo(moves ? TakeRef(value) : FormRef(value));
      placeholders_[p].reset();
    }
  }
  if (program_.has_non_strict && reg.users.size != 0) ReleaseUse(r);
}

void LiveRun::Publish(uint32_t r, AsyncValue* value, ReadyQueue* queue) {
  if (value->IsAvailable() || program_.registers[r].users.size == 0) {
    Store(r, value);
    DecrementUsers(r, queue);
    return;
  }
  value->AndThen([run = FormRef(this), r, value, stream = queue->stream()] {
    run->Resume(r, value, stream);
  });
}

void LiveRun::Resume(uint32_t r, AsyncValue* value, uint32_t stream) {
  if (nested_continuations < kMaxNestedContinuations) {
    ++nested_continuations;
    ContinueAfter(r, value, stream);
    --nested_continuations;
    return;
  }
  EnqueueWork(exec_ctx_, [run = FormRef(this), r, value, stream] {
    run->ContinueAfter(r, value, stream);
  });
}

void LiveRun::ContinueAfter(uint32_t r, AsyncValue* value, uint32_t stream) {
  ReadyQueue queue(program_, stream);
  Store(r, value);
  DecrementUsers(r, &queue);
  Loop(&queue);
}

void LiveRun::RunTask(std::span<const uint32_t> kernels) {
  ReadyQueue queue(program_, program_.kernels[kernels.front()].stream);
  for (uint32_t k : kernels) queue.Push(k);
  Loop(&queue);
}

void LiveRun::Settle(ReadyQueue* queue) {
  queue->Settle([&](std::vector<uint32_t> kernels) {
    EnqueueWork(exec_ctx_, [run = FormRef(this), kernels = std::move(kernels)] {
      run->RunTask(kernels);
    });
  });
}

void LiveRun::Loop(ReadyQueue* queue) {
  Settle(queue);
  while (!queue->empty()) {
    Execute(queue->Pop(), queue);
    Settle(queue);
  }
}

RCReference<AsyncValue> LiveRun::PlaceholderFor(uint32_t r) {
  std::atomic_ref<AsyncValue*> slot(registers_[r]);
  // acquire: reads a stored value's, or another placeholder's, contents.
  AsyncValue* current = slot.load(std::memory_order_acquire);
  if (!current) {
    RCReference<IndirectAsyncValue> placeholder = MakeIndirectAsyncValue();
    // release: publishes the placeholder to the producer that will forward it.
    if (slot.compare_exchange_strong(current, MarkPlaceholder(placeholder.get()),
                                     std::memory_order_acq_rel, std::memory_order_acquire)) {
      current = MarkPlaceholder(placeholder.CopyRef().release());
    }
  }
  return FormRef(Unmark(current));
}

bool LiveRun::IsLastUse(const AsyncKernelFrame& frame, uint32_t index) {
  const auto& run = *static_cast<const LiveRun*>(frame.parts().run);
  uint32_t r = frame.parts().argument_registers[index];
  if (run.program_.registers[r].returned()) return false;
  // acquire: other kernels that released the register have finished reading it. Given twice to
  // this kernel, it has two uses left.
  return run.uses_left_[r].load(std::memory_order_acquire) == 1;
}

void LiveRun::Execute(uint32_t k, ReadyQueue* queue) {
  const ProgramKernel& kernel = program_.kernels[k];
  std::span<const uint32_t> args = program_.Indices(kernel.arguments);
  std::span<const uint32_t> result_registers = program_.Indices(kernel.results);
  AsyncValue* inline_results[16];
  std::vector<AsyncValue*> heap_results;
  AsyncValue** results = inline_results;
  if (result_registers.size() > std::size(inline_results)) {
    heap_results.resize(result_registers.size());
    results = heap_results.data();
  }
  std::fill_n(results, result_registers.size(), nullptr);

  if (kernel.non_strict) {
    ExecuteNonStrict(k, results);
  } else if (AsyncValue* error = FindError(exec_ctx_, registers_.data(), args)) {
    PropagateError(error, results, kernel.results.size);
  } else {
    ExecutionContext kernel_ctx = exec_ctx_;
    kernel_ctx.set_location(Location(&locations_, kernel.location));
    AsyncKernelFrame::Parts parts = MakeParts(program_, k, &kernel_ctx, results);
    parts.registers = registers_.data();
    parts.is_last_use = IsLastUse;
    parts.run = this;
    CallKernel(program_, kernel, &parts);
  }
  for (uint32_t r : args) ReleaseUse(r);
  for (size_t i = 0; i < result_registers.size(); ++i) {
    Publish(result_registers[i], results[i], queue);
  }
}

void LiveRun::ExecuteNonStrict(uint32_t k, AsyncValue** results) {
  const ProgramKernel& kernel = program_.kernels[k];
  if (AsyncValue* cancelled = FindError(exec_ctx_, nullptr, {})) {
    PropagateError(cancelled, results, kernel.results.size);
    return;
  }
  // The kernel sees a list of its own: a register may be stored while it runs.
  std::span<const uint32_t> args = program_.Indices(kernel.arguments);
  std::vector<RCReference<AsyncValue>> owned(args.size());
  std::vector<AsyncValue*> values(args.size());
  std::vector<uint32_t> identity(args.size());
  for (uint32_t i = 0; i < args.size(); ++i) {
    owned[i] = PlaceholderFor(args[i]);
    values[i] = owned[i].get();
    identity[i] = i;
  }
  ExecutionContext kernel_ctx = exec_ctx_;
  kernel_ctx.set_location(Location(&locations_, kernel.location));
  AsyncKernelFrame::Parts parts = MakeParts(program_, k, &kernel_ctx, results);
  parts.registers = values.data();
  parts.argument_registers = identity.data();
  CallKernel(program_, kernel, &parts);
}

void LiveRun::StartFromArguments(RunArguments arguments,
                                 std::span<RCReference<AsyncValue>> results) {
  for (size_t p = 0; p < results.size(); ++p) {
    placeholders_[p] = MakeIndirectAsyncValue();
    results[p] = placeholders_[p];
  }
  ReadyQueue queue(program_, program_.root_stream);
  Decrement(program_.starters, &queue);
  for (uint32_t r = 0; r < program_.num_arguments; ++r) {
    AsyncValue* value = arguments.values[r];
    if (!arguments.owned) value->AddRef();
    Publish(r, value, &queue);
  }
  Loop(&queue);
}

ReadyQueue LiveRun::ReplayStatic(size_t num_steps) {
  ReadyQueue queue(program_, program_.root_stream);
  auto settle = [&] {
    // The static order never leaves the thread, nor did the part of it that has run.
    if (program_.single_segment) queue.Settle([](std::vector<uint32_t>) { assert(false); });
  };
  Decrement(program_.starters, &queue);
  for (uint32_t r = 0; r < program_.num_arguments; ++r) DecrementUsers(r, &queue);
  settle();
  for (size_t step = 0; step < num_steps; ++step) {
    uint32_t k = program_.static_order[step];
    if (program_.single_segment) {
      [[maybe_unused]] uint32_t popped = queue.Pop();
      assert(popped == k && "the static order is not that of the ready queue");
    } else {
      queue.Remove(k);
    }
    if (step + 1 == num_steps) break;  // its results are published by the live run
    for (uint32_t r : program_.Indices(program_.kernels[k].results)) DecrementUsers(r, &queue);
    settle();
  }
  return queue;
}

void LiveRun::StartFromStatic(const StaticProgress& progress,
                              std::span<RCReference<AsyncValue>> results) {
  size_t num_steps = progress.step + 1;
  std::vector<bool> is_stored(registers_.size());
  for (uint32_t r = 0; r < program_.num_arguments; ++r) is_stored[r] = true;
  for (size_t step = 0; step < num_steps; ++step) {
    const ProgramKernel& kernel = program_.kernels[program_.static_order[step]];
    for (uint32_t r : program_.Indices(kernel.arguments)) {
      uses_left_[r].fetch_sub(1, std::memory_order_relaxed);
    }
    if (step == progress.step) break;
    for (uint32_t r : program_.Indices(kernel.results)) is_stored[r] = true;
  }
  for (uint32_t r = 0; r < registers_.size(); ++r) {
    if (!is_stored[r]) continue;
    AsyncValue* value = progress.registers[r];
    const ProgramRegister& reg = program_.registers[r];
    bool owned = r >= progress.first_owned_register;
    for (uint32_t p : program_.Indices(reg.returns)) results[p] = FormRef(value);
    if (uses_left_[r].load(std::memory_order_relaxed) != 0) {
      registers_[r] = value;
      if (!owned) value->AddRef();
    } else if (owned && reg.returned()) {
      value->DropRef();  // `results` hold it now; other registers were released at their last use
    }
  }
  for (size_t p = 0; p < results.size(); ++p) {
    if (results[p]) continue;
    placeholders_[p] = MakeIndirectAsyncValue();
    results[p] = placeholders_[p];
  }
  ReadyQueue queue = ReplayStatic(num_steps);
  const ProgramKernel& last = program_.kernels[program_.static_order[progress.step]];
  std::span<const uint32_t> result_registers = program_.Indices(last.results);
  for (size_t i = 0; i < result_registers.size(); ++i) {
    Publish(result_registers[i], progress.pending_results[i], &queue);
  }
  if (!program_.single_segment) queue.TakeAll();
  Loop(&queue);
}

}  // namespace

void StartLiveRun(const RunContext& context, const ExecutionContext& exec_ctx,
                  RunArguments arguments, std::span<RCReference<AsyncValue>> results) {
  MakeRef<LiveRun>(context, exec_ctx)->StartFromArguments(arguments, results);
}

void ContinueLive(const RunContext& context, const ExecutionContext& exec_ctx,
                  const StaticProgress& progress, std::span<RCReference<AsyncValue>> results) {
  MakeRef<LiveRun>(context, exec_ctx)->StartFromStatic(progress, results);
}

}  // namespace tfrt::internal
