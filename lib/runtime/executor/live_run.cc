// The live run: counted dataflow over the program's graph.
//
// Every kernel has a count of arguments that are not there yet; storing a register decrements its
// users, and whoever brings a count to zero makes the kernel ready. A register owns one reference
// and counts its remaining uses; the last use drops it. Nothing here blocks or takes a lock.
//
// Values that are not available are stored only when they are: a waiter then stores the register
// and continues from there, on the thread that made the value available. The waiters lie in the
// run, one per register.

#include <algorithm>
#include <atomic>
#include <vector>

#include "ready_queue.h"
#include "run.h"
#include "scratch.h"
#include "task_capture.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/yield_point.h"
#include "tfrt/tracing/record.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt::internal {
namespace {

// Marks functions that run for each kernel: compiled in one piece, where size does not count.
#ifdef __OPTIMIZE_SIZE__
#define TFRT_IN_ONE_PIECE
#else
#define TFRT_IN_ONE_PIECE [[gnu::flatten]]
#endif

// Continuations nested deeper than this on one thread go through the work queue.
constexpr int kMaxNestedContinuations = 100;
[[gnu::tls_model("initial-exec")]] thread_local constinit int nested_continuations = 0;

// Whether a register is stored, for readers that do not wait for that (only of programs that have
// such): null before, then either this mark, or a placeholder if a reader was there first.
IndirectAsyncValue* Stored() { return reinterpret_cast<IndirectAsyncValue*>(uintptr_t{1}); }
using Slot = std::atomic<IndirectAsyncValue*>;

// Where a frame must believe its results to begin so that those of `kernel` lie at `results`.
AsyncValue** ResultsFor(const ProgramKernel& kernel, AsyncValue** results) {
  return reinterpret_cast<AsyncValue**>(reinterpret_cast<uintptr_t>(results) -
                                        size_t{kernel.first_result} * sizeof(*results));
}

// One allocation: the object, then its arrays.
class LiveRun : public ReferenceCounted<LiveRun> {
 public:
  static RCReference<LiveRun> Create(const RunContext& context, const ExecutionContext& exec_ctx) {
    const Program& program = context.program;
    size_t extra = program.registers.size() *
                       (sizeof(Waiter) + sizeof(AsyncValue*) + sizeof(std::atomic<uint32_t>)) +
                   NumSlots(program) * sizeof(Slot) +
                   program.result_registers().size() * sizeof(IndirectAsyncValue*) +
                   program.kernels.size() * sizeof(std::atomic<uint32_t>);
    void* memory = ::operator new(sizeof(LiveRun) + extra);
    return TakeRef(new (memory) LiveRun(context, exec_ctx));
  }
  [[gnu::noinline]] ~LiveRun();
  void operator delete(void* memory) { ::operator delete(memory); }

  void StartFromArguments(RunArguments arguments, std::span<RCReference<AsyncValue>> results);
  void StartFromStatic(const StaticProgress& progress, std::span<RCReference<AsyncValue>> results);

 private:
  LiveRun(const RunContext& context, const ExecutionContext& exec_ctx);

  // Continues the run once the value of a register is available: as a waiter of the value, and if
  // too many are nested then, as a task of the queue. Owns a reference to the run. Used once.
  struct Waiter : Task {
    Waiter(LiveRun* run, uint32_t r, uint32_t stream)
        : Task(&kOps), run(run), r(r), stream(stream) {}
    static void Run(Task* task);
    // Runs a task of the queue, which is no nested continuation.
    static void RunQueued(Task* task) {
      --nested_continuations;
      Run(task);
      ++nested_continuations;
    }
    template <void (*kRun)(Task*)>
    static void Call(Task* task) {
      static_cast<Waiter*>(task)->run->AddRef();  // kRun takes one
      kRun(task);
    }
    static void Destroy(Task* task) { static_cast<Waiter*>(task)->run->DropRef(); }
    static constexpr Ops kOps = {&Run, &Call<&Run>, &Destroy};
    static constexpr Ops kQueuedOps = {&RunQueued, &Call<&RunQueued>, &Destroy};

    LiveRun* const run;
    const uint32_t r;
    const uint32_t stream;
  };

  static size_t NumSlots(const Program& program) {
    return program.has_non_strict ? program.registers.size() : 0;
  }

  // Counts.
  void DecrementUsers(uint32_t r, ReadyQueue* queue) {
    Decrement(program_.registers[r].users, queue);
  }
  void Decrement(std::span<const uint32_t> kernels, ReadyQueue* queue);
  bool DecrementPending(uint32_t k);
  void ReleaseUse(uint32_t r);
  void DropPlaceholder(uint32_t r);

  // Registers. These take over the reference to `value`.
  void Publish(uint32_t r, AsyncValue* value, ReadyQueue* queue);
  void WaitFor(uint32_t r, AsyncValue* value, uint32_t stream);
  void Store(uint32_t r, AsyncValue* value);
  RCReference<AsyncValue> ValueOrPlaceholder(uint32_t r);

  // Running.
  [[gnu::noinline]] void Loop(ReadyQueue* queue);
  void Settle(ReadyQueue* queue);
  bool ContinueAfter(const Waiter& waiter);
  void Execute(const ProgramKernel& kernel, AsyncValue** results);
  // These return the record of the kernel if its results come later, else 0.
  uint64_t ExecuteStrict(const ProgramKernel& kernel, AsyncValue** results);
  uint64_t ExecuteNonStrict(const ProgramKernel& kernel, AsyncValue** results);
  // `place`: the kernel, if `site` is a copy; else null.
  uint64_t CallKernel(const ProgramKernel& kernel, const KernelCallSite& site,
                      AsyncValue* const* registers, AsyncValue** results,
                      const KernelCallSite* place);
  [[gnu::noinline]] uint64_t CallRecorded(const ProgramKernel& kernel, AsyncKernelFrame* frame);
  void Invoke(const ProgramKernel& kernel, AsyncKernelFrame* frame);
  void PublishResults(const ProgramKernel& kernel, AsyncValue* const* results, ReadyQueue* queue);
  bool WaitForResults(const ProgramKernel& kernel, AsyncValue* const* results, uint32_t stream);
  void MakePlaceholder(size_t p, RCReference<AsyncValue>* result);
  void ReplayStatic(size_t num_steps, ReadyQueue* queue);

  static bool IsLastUse(const AsyncKernelFrame& frame, uint32_t index);

  const Program& program_;
  KernelTimes* const times_;  // null: not measured
  std::atomic<int64_t> kernel_ns_{0};
  struct Tables : AsyncKernelFrame::Tables {
    const LiveRun* run;
  };
  const Tables tables_;
  RCReference<const Function> function_;  // keeps program_ alive
  const ExecutionContext exec_ctx_;
  Waiter* const waiters_;  // per register; made when they are used
  AsyncValue** const registers_;
  // Per result position, owned; null where the result was there when the run went live.
  IndirectAsyncValue** const placeholders_;
  Slot* const slots_;                       // per register; none if all kernels are strict
  std::atomic<uint32_t>* const pending_;    // per kernel
  std::atomic<uint32_t>* const uses_left_;  // per register
};

LiveRun::LiveRun(const RunContext& context, const ExecutionContext& exec_ctx)
    : program_(context.program),
      times_(IsMeasured(program_, exec_ctx) ? &context.times : nullptr),
      tables_{{program_.tables.attributes, program_.tables.functions, program_.tables.locations,
               &IsLastUse},
              this},
      function_(FormRef(&context.function)),
      exec_ctx_(exec_ctx),
      waiters_(reinterpret_cast<Waiter*>(this + 1)),
      registers_(reinterpret_cast<AsyncValue**>(waiters_ + program_.registers.size())),
      placeholders_(reinterpret_cast<IndirectAsyncValue**>(registers_ + program_.registers.size())),
      slots_(reinterpret_cast<Slot*>(placeholders_ + program_.result_registers().size())),
      pending_(reinterpret_cast<std::atomic<uint32_t>*>(slots_ + NumSlots(program_))),
      uses_left_(pending_ + program_.kernels.size()) {
  std::fill_n(registers_, program_.registers.size(), nullptr);
  std::fill_n(placeholders_, program_.result_registers().size(), nullptr);
  for (size_t r = 0; r < NumSlots(program_); ++r) new (&slots_[r]) Slot(nullptr);
  const uint32_t* number = program_.numbers.data();
  for (const ProgramKernel& kernel : program_.kernels) {
    new (&pending_[*number++]) std::atomic<uint32_t>(std::max(1u, kernel.num_arguments));
  }
  // With non-strict kernels all users may be done before the value is stored, so storing it counts
  // as a use.
  uint32_t store_use = program_.has_non_strict ? 1 : 0;
  std::atomic<uint32_t>* uses_left = uses_left_;
  for (const ProgramRegister& reg : program_.registers) {
    auto num_users = static_cast<uint32_t>(reg.users.size());
    new (uses_left++) std::atomic<uint32_t>(num_users + store_use);
  }
}

LiveRun::~LiveRun() {
  // All kernels have run unless a value never became available; then its registers end here.
  const std::span uses_left(uses_left_, program_.registers.size());
  for (const std::atomic<uint32_t>& each : uses_left) {
    if (each.load(std::memory_order_relaxed) == 0) continue;
    auto r = static_cast<uint32_t>(&each - uses_left_);
    if (AsyncValue* value = registers_[r]) value->DropRef();
    DropPlaceholder(r);
  }
  for (size_t p = 0; p < program_.result_registers().size(); ++p) {
    if (placeholders_[p]) placeholders_[p]->DropRef();
  }
  if (times_) {
    times_->Record(std::chrono::nanoseconds(kernel_ns_.load(std::memory_order_relaxed)),
                   program_.kernels.size());
  }
}

bool LiveRun::DecrementPending(uint32_t k) {
  if (program_.has_non_strict && program_.kernel(k).non_strict) {
    // Ready at the first decrement. acq_rel: as below.
    uint32_t initial = std::max(1u, program_.kernel(k).num_arguments);
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
  std::atomic<uint32_t>& uses_left = uses_left_[r];
  if (uses_left.load(std::memory_order_acquire) == 1) {
    uses_left.store(0, std::memory_order_relaxed);
  } else if (uses_left.fetch_sub(1, std::memory_order_acq_rel) != 1) {
    return;
  }
  registers_[r]->DropRef();
  DropPlaceholder(r);
}

void LiveRun::DropPlaceholder(uint32_t r) {
  if (!program_.has_non_strict) return;
  // relaxed: whoever gets here is the last to use the register.
  IndirectAsyncValue* placeholder = slots_[r].load(std::memory_order_relaxed);
  if (placeholder && placeholder != Stored()) placeholder->DropRef();
}

void LiveRun::Store(uint32_t r, AsyncValue* value) {
  const ProgramRegister& reg = program_.registers[r];
  if (reg.users.empty() && !reg.returned()) {
    value->DropRef();
    return;
  }
  if (!reg.users.empty()) {
    registers_[r] = value;
    IndirectAsyncValue* placeholder = nullptr;
    // release: publishes the register to readers that do not wait. acquire: reads their
    // placeholder.
    if (program_.has_non_strict &&
        !slots_[r].compare_exchange_strong(placeholder, Stored(), std::memory_order_release,
                                           std::memory_order_acquire)) {
      // It stays in the slot: another reader may be about to take a reference, and is safe while it
      // has not given up its use.
      placeholder->ForwardTo(FormRef(value));
    }
  }
  if (reg.returned()) {
    // Waiters of a result may do anything, including dropping it; ours must outlive them.
    for (uint32_t p : reg.returns) {
      IndirectAsyncValue* placeholder = std::exchange(placeholders_[p], nullptr);
      if (!placeholder) continue;
      bool moves = reg.users.empty() && p == reg.returns.back();
      placeholder->ForwardTo(moves ? TakeRef(value) : FormRef(value));
      placeholder->DropRef();
    }
  }
  if (program_.has_non_strict && !reg.users.empty()) ReleaseUse(r);
}

void LiveRun::Publish(uint32_t r, AsyncValue* value, ReadyQueue* queue) {
  if (value->IsAvailable() || program_.registers[r].users.empty()) {
    Store(r, value);
    DecrementUsers(r, queue);
    return;
  }
  AddRef();
  WaitFor(r, value, queue->stream());
}

// The waiter takes over a reference to the run. It may run at once, and end the run.
void LiveRun::WaitFor(uint32_t r, AsyncValue* value, uint32_t stream) {
  // Nobody reads the register before it is stored. The value publishes it with its waiter.
  registers_[r] = value;
  value->AndThenRun(new (&waiters_[r]) Waiter(this, r, stream));
}

// Runs for each value that comes later.
TFRT_IN_ONE_PIECE void LiveRun::Waiter::Run(Task* task) {
  auto* waiter = static_cast<Waiter*>(task);
  LiveRun* run = waiter->run;
  if (nested_continuations >= kMaxNestedContinuations) [[unlikely]] {
    RCReference<LiveRun> kept = FormRef(run);  // the queue may run the task at once
    task->ops = &kQueuedOps;
    return EnqueueTask(run->exec_ctx_, TaskFunction(task));
  }
  ++nested_continuations;
  bool keeps_reference = run->ContinueAfter(*waiter);
  --nested_continuations;
  if (!keeps_reference) run->DropRef();
}

// Returns true if other waiters have taken over this one's reference. The run may then have ended.
// Built for size, it always takes the general way.
bool LiveRun::ContinueAfter(const Waiter& waiter) {
  const ProgramRegister& reg = program_.registers[waiter.r];
  if (reg.returned() || program_.has_non_strict) Store(waiter.r, registers_[waiter.r]);
  if (kForSize || reg.users.size() != 1) {
    ReadyQueue queue(program_, waiter.stream);
    Decrement(reg.users, &queue);
    Loop(&queue);
    return false;
  }
  // The only kernel that may be ready now: there is nothing to choose from, and its stream is the
  // current one, as the queue would say. Usually nothing is ready afterwards.
  uint32_t k = reg.users.front();
  if (!DecrementPending(k)) return false;
  const ProgramKernel& kernel = program_.kernel(k);
  Scratch<AsyncValue*>::Few few_results;
  Scratch<AsyncValue*> results(kernel.num_results, &few_results);
  Execute(kernel, results.data());
  if (WaitForResults(kernel, results.data(), program_.stream(k))) return true;
  ReadyQueue queue(program_, program_.stream(k));
  PublishResults(kernel, results.data(), &queue);
  Loop(&queue);
  return false;
}

void LiveRun::Settle(ReadyQueue* queue) {
  queue->Settle([&](std::span<const uint32_t> kernels) {
    if (kernels.size() == 1) {
      EnqueueTask(exec_ctx_, [run = FormRef(this), k = kernels[0]] {
        ReadyQueue queue(run->program_, run->program_.stream(k));
        queue.Push(k);
        run->Loop(&queue);
      });
      return;
    }
    EnqueueTask(exec_ctx_, [run = FormRef(this),
                            kernels = std::vector<uint32_t>(kernels.begin(), kernels.end())] {
      ReadyQueue queue(run->program_, run->program_.stream(kernels.front()));
      for (uint32_t k : kernels) queue.Push(k);
      run->Loop(&queue);
    });
  });
}

// Runs the kernels that are ready, and those that become ready.
TFRT_IN_ONE_PIECE void LiveRun::Loop(ReadyQueue* queue) {
  for (Settle(queue); !queue->empty(); Settle(queue)) {
    const ProgramKernel& kernel = program_.kernel(queue->Pop());
    Scratch<AsyncValue*>::Few few_results;
    Scratch<AsyncValue*> results(kernel.num_results, &few_results);
    Execute(kernel, results.data());
    PublishResults(kernel, results.data(), queue);
  }
}

// The caller has a use of the register, so what is found here is not dropped meanwhile.
RCReference<AsyncValue> LiveRun::ValueOrPlaceholder(uint32_t r) {
  // acquire: reads the register, or a placeholder's contents.
  IndirectAsyncValue* current = slots_[r].load(std::memory_order_acquire);
  TFRT_YIELD_POINT(slot_read);
  if (!current) {
    RCReference<IndirectAsyncValue> placeholder = MakeIndirectAsyncValue();
    // The slot's reference is there before anyone can see the placeholder.
    placeholder->AddRefOfNew();
    RCReference<IndirectAsyncValue> of_slot = TakeRef(placeholder.get());
    // release: publishes the placeholder to the producer that will forward it, and to other
    // readers.
    if (slots_[r].compare_exchange_strong(current, of_slot.get(), std::memory_order_release,
                                          std::memory_order_acquire)) {
      TFRT_YIELD_POINT(placeholder_published);
      (void)of_slot.release();
      return placeholder;
    }
  }
  if (current == Stored()) return FormRef(registers_[r]);
  return FormRef(current);
}

bool LiveRun::IsLastUse(const AsyncKernelFrame& frame, uint32_t index) {
  if (frame.parts().place) return false;  // not strict: its arguments are not the registers
  const LiveRun& run = *static_cast<const Tables*>(frame.parts().tables)->run;
  uint32_t r = frame.site().arguments[index];
  if (run.program_.registers[r].returned()) return false;
  // acquire: other kernels that released the register have finished reading it. Given twice to
  // this kernel, it has two uses left.
  return run.uses_left_[r].load(std::memory_order_acquire) == 1;
}

void LiveRun::Execute(const ProgramKernel& kernel, AsyncValue** results) {
  if (!kernel.clears_results) std::fill_n(results, kernel.num_results, nullptr);
  uint64_t late_record =
      kernel.non_strict ? ExecuteNonStrict(kernel, results) : ExecuteStrict(kernel, results);
  for (uint32_t r : kernel.argument_registers()) ReleaseUse(r);
  if (tracing::kRecordsExist && late_record != 0) [[unlikely]] {
    TellWhenReady(late_record, {results, kernel.num_results});
  }
}

void LiveRun::PublishResults(const ProgramKernel& kernel, AsyncValue* const* results,
                             ReadyQueue* queue) {
  for (uint32_t i = 0; i < kernel.num_results; ++i) {
    Publish(kernel.first_result + i, results[i], queue);
  }
}

// If all results come later and are used, their waiters take over a reference to the run.
bool LiveRun::WaitForResults(const ProgramKernel& kernel, AsyncValue* const* results,
                             uint32_t stream) {
  const uint32_t first = kernel.first_result;
  const uint32_t size = kernel.num_results;
  for (uint32_t i = 0; i < size; ++i) {
    if (results[i]->IsAvailable() || program_.registers[first + i].users.empty()) return false;
  }
  if (size != 1) {
    if (size == 0) return false;
    AddRef(size - 1);
  }
  for (uint32_t i = 0; i < size; ++i) WaitFor(first + i, results[i], stream);
  return true;
}

uint64_t LiveRun::ExecuteStrict(const ProgramKernel& kernel, AsyncValue** results) {
  AsyncValue* error = FindError(exec_ctx_, registers_, kernel.argument_registers());
  if (error) {
    PropagateError(error, results, kernel.num_results);
    return 0;
  }
  return CallKernel(kernel, kernel, registers_, ResultsFor(kernel, results), nullptr);
}

uint64_t LiveRun::ExecuteNonStrict(const ProgramKernel& kernel, AsyncValue** results) {
  if (AsyncValue* cancelled = exec_ctx_.request_ctx()->GetCancelAsyncValue()) {
    PropagateError(cancelled, results, kernel.num_results);
    return 0;
  }
  // The kernel sees a list of its own: a register may be stored while it runs.
  uint32_t size = kernel.num_arguments;
  Scratch<AsyncValue*>::Few few_values;
  Scratch<AsyncValue*> values(size, &few_values);
  Scratch<uint32_t>::Few few_identity;
  Scratch<uint32_t> identity(size, &few_identity);
  for (uint32_t i = 0; i < size; ++i) {
    values.data()[i] = ValueOrPlaceholder(kernel.arguments[i]).release();
    identity.data()[i] = i;
  }
  KernelCallSite site = kernel;
  site.arguments = identity.data();
  uint64_t late_record =
      CallKernel(kernel, site, values.data(), ResultsFor(kernel, results), &kernel);
  for (uint32_t i = 0; i < size; ++i) values.data()[i]->DropRef();
  return late_record;
}

uint64_t LiveRun::CallKernel(const ProgramKernel& kernel, const KernelCallSite& site,
                             AsyncValue* const* registers, AsyncValue** results,
                             const KernelCallSite* place) {
  BorrowedContext kernel_ctx(exec_ctx_);
  AsyncKernelFrame frame({.site = &site,
                          .place = place,
                          .registers = registers,
                          .results = results,
                          .tables = &tables_,
                          .exec_ctx = &kernel_ctx});
  if (RecordsKernels()) [[unlikely]]
    return CallRecorded(kernel, &frame);
  Invoke(kernel, &frame);
  if (!kernel.clears_results || frame.needs_check()) ReportUnsetResults(program_, kernel, frame);
  return 0;
}

uint64_t LiveRun::CallRecorded(const ProgramKernel& kernel, AsyncKernelFrame* frame) {
  KernelRecordScope record(program_, kernel);
  Invoke(kernel, frame);
  if (kernel.clears_results && !frame->needs_check()) return 0;
  AsyncValue* const* results = frame->parts().results + kernel.first_result;
  uint64_t late_record = EndKernelRecord(&record, {results, kernel.num_results});
  ReportUnsetResults(program_, kernel, *frame);
  return late_record;
}

[[gnu::always_inline]] inline void LiveRun::Invoke(const ProgramKernel& kernel,
                                                   AsyncKernelFrame* frame) {
  if (!times_) return kernel.async_function(frame);
  auto begin = std::chrono::steady_clock::now();
  kernel.async_function(frame);
  // One kernel counts for 100 us at most: it may just not have been scheduled for a while.
  int64_t ns = (std::chrono::steady_clock::now() - begin).count();
  kernel_ns_.fetch_add(std::min<int64_t>(ns, 100'000), std::memory_order_relaxed);
}

// Makes a placeholder of result p, which is not available yet.
void LiveRun::MakePlaceholder(size_t p, RCReference<AsyncValue>* result) {
  placeholders_[p] = MakeIndirectAsyncValue().release();
  placeholders_[p]->AddRefOfNew();
  *result = TakeRef<AsyncValue>(placeholders_[p]);
}

void LiveRun::StartFromArguments(RunArguments arguments,
                                 std::span<RCReference<AsyncValue>> results) {
  for (size_t p = 0; p < results.size(); ++p) {
    MakePlaceholder(p, &results[p]);
  }
  ReadyQueue queue(program_, program_.root_stream);
  Decrement(program_.body.kernels_without_operands(), &queue);
  for (uint32_t r = 0; r < program_.num_arguments; ++r) {
    AsyncValue* value = arguments.values[r];
    if (!arguments.owned) value->AddRef();
    Publish(r, value, &queue);
  }
  Loop(&queue);
}

void LiveRun::ReplayStatic(size_t num_steps, ReadyQueue* queue) {
  auto results_of = [&](const ProgramKernel& kernel, auto&& visit) {
    for (uint32_t i = 0; i < kernel.num_results; ++i) visit(kernel.first_result + i);
  };
  if (program_.single_segment) {
    // In this order no kernel ever leaves the thread, and each is the one the queue would give.
    auto settle = [&] { queue->Settle([](std::span<const uint32_t>) { assert(false); }); };
    Decrement(program_.body.kernels_without_operands(), queue);
    for (uint32_t r = 0; r < program_.num_arguments; ++r) DecrementUsers(r, queue);
    settle();
    for (size_t step = 0; step < num_steps; ++step) {
      const ProgramKernel& kernel = program_.kernels[step];
      [[maybe_unused]] uint32_t popped = queue->Pop();
      assert(popped == program_.number(kernel) &&
             "the static order is not that of the ready queue");
      if (step + 1 == num_steps) break;  // its results are published by the live run
      results_of(kernel, [&](uint32_t r) { DecrementUsers(r, queue); });
      settle();
    }
    return;
  }
  std::vector<uint8_t> has_run(program_.kernels.size());
  for (size_t step = 0; step < num_steps; ++step) has_run[program_.numbers[step]] = true;
  auto decrement = [&](std::span<const uint32_t> kernels) {
    for (uint32_t k : kernels) {
      if (DecrementPending(k) && !has_run[k]) queue->Push(k);
    }
  };
  decrement(program_.body.kernels_without_operands());
  for (uint32_t r = 0; r < program_.num_arguments; ++r) decrement(program_.registers[r].users);
  for (size_t step = 0; step + 1 < num_steps; ++step) {
    results_of(program_.kernels[step], [&](uint32_t r) { decrement(program_.registers[r].users); });
  }
}

void LiveRun::StartFromStatic(const StaticProgress& progress,
                              std::span<RCReference<AsyncValue>> results) {
  size_t num_steps = progress.step + 1;
  const ProgramKernel& last = program_.kernels[progress.step];
  for (size_t step = 0; step < num_steps; ++step) {
    for (uint32_t r : program_.kernels[step].argument_registers()) {
      // relaxed, and no read-modify-write: nobody shares the run yet.
      uint32_t uses_left = uses_left_[r].load(std::memory_order_relaxed);
      uses_left_[r].store(uses_left - 1, std::memory_order_relaxed);
    }
  }
  auto store = [&](uint32_t r) {
    AsyncValue* value = progress.registers[r];
    const ProgramRegister& reg = program_.registers[r];
    bool owned = r >= progress.first_owned_register;
    for (uint32_t p : reg.returns) results[p] = FormRef(value);
    if (uses_left_[r].load(std::memory_order_relaxed) != 0) {
      registers_[r] = value;
      if (!owned) value->AddRef();
    } else if (owned && reg.returned()) {
      value->DropRef();  // `results` hold it now; other registers were released when they died
    }
  };
  for (uint32_t r = 0; r < program_.num_arguments; ++r) store(r);
  for (size_t step = 0; step < progress.step; ++step) {
    const ProgramKernel& kernel = program_.kernels[step];
    for (uint32_t i = 0; i < kernel.num_results; ++i) store(kernel.first_result + i);
  }
  for (size_t p = 0; p < results.size(); ++p) {
    if (results[p]) continue;
    MakePlaceholder(p, &results[p]);
  }
  ReadyQueue queue(program_, program_.root_stream);
  ReplayStatic(num_steps, &queue);
  AsyncValue** last_results = progress.registers + last.first_result;
  if (tracing::kRecordsExist && progress.late_record != 0) [[unlikely]] {
    TellWhenReady(progress.late_record, {last_results, last.num_results});
  }
  PublishResults(last, last_results, &queue);
  if (!program_.single_segment && exec_ctx_.work_queue().IsSingleThreaded()) queue.TakeAll();
  Loop(&queue);
}

}  // namespace

void StartLiveRun(const RunContext& context, const ExecutionContext& exec_ctx,
                  RunArguments arguments, std::span<RCReference<AsyncValue>> results) {
  tracing::RecordScope record(kFunctionRecord, [&] { return RecordNameOf(context.program); });
  LiveRun::Create(context, exec_ctx)->StartFromArguments(arguments, results);
}

void ContinueLive(const RunContext& context, const ExecutionContext& exec_ctx,
                  const StaticProgress& progress, std::span<RCReference<AsyncValue>> results) {
  LiveRun::Create(context, exec_ctx)->StartFromStatic(progress, results);
}

}  // namespace tfrt::internal
