#include "test/support/stress_kernels.h"

#include <optional>
#include <utility>

#include "test/support/outside_thread.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

uint32_t Combine(uint32_t a, uint32_t b) { return (a ^ b) * 0x9E3779B1u + 1; }

std::vector<uint32_t> Values(const RemainingArguments& arguments) {
  std::vector<uint32_t> values;
  for (AsyncValue* argument : arguments.values())
    values.push_back(argument->get<Tracked>().value());
  return values;
}

// Runs `task` later.
void Postpone(const ExecutionContext& exec_ctx, int32_t later, TaskFunction task) {
  switch (static_cast<Later>(later)) {
    case Later::kTask:
      return exec_ctx.work_queue().AddTask(std::move(task));
    case Later::kBlockingTask: {
      std::optional<TaskFunction> refused =
          exec_ctx.work_queue().AddBlockingTask(std::move(task), /*allow_queuing=*/true);
      if (refused) (*refused)();
      return;
    }
    case Later::kOutside:
      return OutsideThread::Get().Add(std::move(task));
  }
}

// Sets `promise` later, to the value or to the failure of step `id`.
void SetLater(const ExecutionContext& exec_ctx, int32_t later, AsyncValueRef<Tracked> promise,
              bool fail, int32_t id, uint32_t value) {
  Postpone(exec_ctx, later, [promise = std::move(promise), fail, id, value] {
    if (fail) {
      promise.SetError(InternalError(FailureText(id)));
    } else {
      promise.emplace(value);
    }
  });
}

void Mix(Attribute<int32_t> id, RemainingArguments arguments, RemainingResults results) {
  std::vector<uint32_t> operands = Values(arguments);
  if (*id % 5 == 0) OutsideThread::Get().RunOne();
  for (uint32_t i = 0; i < results.size(); ++i) {
    results.Emplace<Tracked>(i, MixedValue(*id, operands, i));
  }
}

void MixFail(Attribute<int32_t> id, RemainingArguments, RemainingResults results) {
  for (uint32_t i = 0; i < results.size(); ++i) {
    results.Set(i, MakeErrorAsyncValueRef<Tracked>(InternalError(FailureText(*id))).ReleaseRCRef());
  }
}

// Attributes arrive in the order of their names.
void MixLater(Attribute<bool> fail, Attribute<int32_t> id, Attribute<int32_t> later,
              RemainingArguments arguments, RemainingResults results,
              const ExecutionContext& exec_ctx) {
  std::vector<uint32_t> operands = Values(arguments);
  for (uint32_t i = 0; i < results.size(); ++i) {
    SetLater(exec_ctx, *later, results.Allocate<Tracked>(i), *fail, *id,
             MixedValue(*id, operands, i));
  }
}

void Forward(Attribute<int32_t> id, RemainingArguments arguments, RemainingResults results) {
  for (uint32_t i = 0; i < results.size(); ++i) {
    results.Set(i, FormRef(arguments[(static_cast<size_t>(*id) + i) % arguments.size()]));
  }
}

void InPlace(Attribute<int32_t> id, RemainingArguments arguments, RemainingResults results) {
  std::vector<uint32_t> operands = Values(arguments);
  for (uint32_t i = 1; i < results.size(); ++i) {
    results.Emplace<Tracked>(i, MixedValue(*id, operands, i));
  }
  uint32_t value = MixedValue(*id, operands, 0);
  if (!arguments.IsUnique(0)) return results.Emplace<Tracked>(0, value);
  arguments[0]->get<Tracked>().set_value(value);
  results.Set(0, FormRef(arguments[0]));
}

void Pick(Attribute<int32_t> id, RemainingArguments arguments, RemainingResults results) {
  for (uint32_t i = 0; i < results.size(); ++i) {
    results.Set(i, FormRef(arguments[static_cast<size_t>(*id) % arguments.size()]));
  }
}

void Join(Attribute<int32_t> id, RemainingArguments arguments, RemainingResults results) {
  std::vector<AsyncValueRef<Tracked>> promises;
  for (uint32_t i = 0; i < results.size(); ++i) promises.push_back(results.Allocate<Tracked>(i));
  std::vector<AsyncValue*> awaited = arguments.values();
  RunWhenReady(awaited,
               [id = *id, operands = arguments.ValueRefs(), promises = std::move(promises)] {
                 std::vector<uint32_t> values;
                 for (const auto& operand : operands) {
                   if (!operand->IsError()) {
                     values.push_back(operand->get<Tracked>().value());
                     continue;
                   }
                   for (const auto& promise : promises) promise.SetError(operand->GetError());
                   return;
                 }
                 for (uint32_t i = 0; i < promises.size(); ++i)
                   promises[i].emplace(MixedValue(id, values, i));
               });
}

void PartFail(Attribute<int32_t> id, Attribute<int32_t> later, RemainingArguments arguments,
              RemainingResults results, KernelErrorHandler handler,
              const ExecutionContext& exec_ctx) {
  auto promise = MakeUnconstructedAsyncValueRef<Tracked>();
  results.Set(0, promise.CopyRCRef());
  SetLater(exec_ctx, *later, std::move(promise), false, *id, MixedValue(*id, Values(arguments), 0));
  handler.ReportError(FailureText(*id));
}

void DeepChain(Attribute<bool> fail, Attribute<int32_t> id, Attribute<int32_t> later,
               Attribute<int32_t> length, RemainingArguments arguments, RemainingResults results,
               const ExecutionContext& exec_ctx) {
  std::vector<uint32_t> operands = Values(arguments);
  for (uint32_t i = 1; i < results.size(); ++i) {
    SetLater(exec_ctx, *later, results.Allocate<Tracked>(i), *fail, *id,
             MixedValue(*id, operands, i));
  }
  auto first = MakeUnconstructedAsyncValueRef<Tracked>();
  auto last = first.CopyRef();
  for (int32_t n = 0; n < *length; ++n) {
    if (n % 2 == 0) {
      last = last.Map([](Tracked& value) { return Tracked(value.value() + 1); });
      continue;
    }
    auto next = MakeUnconstructedAsyncValueRef<Tracked>();
    last.AndThen([next](StatusOr<Tracked*> value) {
      if (value.ok()) {
        next.emplace((*value)->value() + 1);
      } else {
        next.SetError(value.status());
      }
    });
    last = std::move(next);
  }
  results.Set(0, last.ReleaseRCRef());
  uint32_t value = MixedValue(*id, operands, 0) - static_cast<uint32_t>(*length);
  SetLater(exec_ctx, *later, std::move(first), *fail, *id, value);
}

// The task that waits comes first, whatever sets what it waits for.
void Await(Attribute<bool> fail, Attribute<int32_t> id, Attribute<int32_t> later,
           RemainingArguments arguments, RemainingResults results,
           const ExecutionContext& exec_ctx) {
  std::vector<uint32_t> operands = Values(arguments);
  for (uint32_t i = 0; i < results.size(); ++i) {
    auto awaited = MakeUnconstructedAsyncValueRef<Tracked>();
    EnqueueWork(exec_ctx, [awaited, result = results.Allocate<Tracked>(i), host = exec_ctx.host()] {
      AsyncValue* raw = awaited.GetAsyncValue();
      host->Await({&raw, 1});
      if (awaited.IsError()) {
        result.SetError(awaited.GetError());
      } else {
        result.emplace(awaited->value());
      }
    });
    SetLater(exec_ctx, *later, std::move(awaited), *fail, *id, MixedValue(*id, operands, i));
  }
}

}  // namespace

uint32_t MixedValue(int32_t id, const std::vector<uint32_t>& operands, uint32_t i) {
  uint32_t value = Combine(static_cast<uint32_t>(id), i);
  for (uint32_t operand : operands) value = Combine(value, operand);
  return value;
}

std::string FailureText(int32_t id) { return "step " + std::to_string(id); }

void RegisterStressKernels(KernelRegistry& registry) {
  registry.AddKernel("t.mix", TFRT_KERNEL(Mix));
  registry.AddKernel("t.mix_fail", TFRT_KERNEL(MixFail));
  registry.AddKernel("t.mix_later", TFRT_KERNEL(MixLater));
  registry.AddKernel("t.forward", TFRT_KERNEL(Forward));
  registry.AddKernel("t.in_place", TFRT_KERNEL(InPlace));
  registry.AddKernel("t.pick", TFRT_KERNEL(Pick), KernelFlags::kNonStrict);
  registry.AddKernel("t.join", TFRT_KERNEL(Join), KernelFlags::kNonStrict);
  registry.AddKernel("t.part_fail", TFRT_KERNEL(PartFail));
  registry.AddKernel("t.deep_chain", TFRT_KERNEL(DeepChain));
  registry.AddKernel("t.await", TFRT_KERNEL(Await));
}

const char* KernelName(StressKernel kernel, bool fails) {
  switch (kernel) {
    case StressKernel::kMix:
      return fails ? "t.mix_fail" : "t.mix";
    case StressKernel::kMixLater:
      return "t.mix_later";
    case StressKernel::kForward:
      return "t.forward";
    case StressKernel::kInPlace:
      return "t.in_place";
    case StressKernel::kPick:
      return "t.pick";
    case StressKernel::kJoin:
      return "t.join";
    case StressKernel::kPartFail:
      return "t.part_fail";
    case StressKernel::kDeepChain:
      return "t.deep_chain";
    case StressKernel::kAwait:
      return "t.await";
  }
  return "";
}

bool HasFailAttribute(StressKernel kernel) {
  return kernel == StressKernel::kMixLater || kernel == StressKernel::kDeepChain ||
         kernel == StressKernel::kAwait;
}

bool HasLaterAttribute(StressKernel kernel) {
  return HasFailAttribute(kernel) || kernel == StressKernel::kPartFail;
}

}  // namespace tfrt
