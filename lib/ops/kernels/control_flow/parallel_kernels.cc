#include <memory>

#include "lib/runtime/host/function_call.h"
#include "lib/runtime/host/parallel_for.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/kernel_groups.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Holds the state that all blocks of one loop share.
struct ParallelBody {
  // Returns the block's chain, or a null reference if the body returns nothing.
  RCReference<AsyncValue> Run(int32_t block_start, int32_t block_end) const {
    auto start_value = MakeAvailableAsyncValueRef<int32_t>(block_start);
    auto end_value = MakeAvailableAsyncValueRef<int32_t>(block_end);
    CallBuffer arguments(extra_values.size() + 2);
    arguments[0] = start_value.GetAsyncValue();
    arguments[1] = end_value.GetAsyncValue();
    for (size_t i = 0; i < extra_values.size(); ++i) arguments[i + 2] = extra_values[i].get();
    RCReference<AsyncValue> chain[1];
    function->Execute(exec_ctx, arguments.span(), std::span(chain).first(function->num_results()));
    return std::move(chain[0]);
  }

  RCReference<const Function> function;
  ExecutionContext exec_ctx;
  ValueRefs extra_values;
};

// The result is available when all blocks are done; their chains' errors are not passed on.
AsyncValueRef<Chain> RunBlocks(ParallelBody body, int32_t start, int32_t end, int32_t block_size) {
  size_t size = static_cast<size_t>(int64_t{end} - start);
  const ExecutionContext exec_ctx = body.exec_ctx;
  auto shared = std::make_shared<const ParallelBody>(std::move(body));
  auto at = [start](size_t offset) { return static_cast<int32_t>(start + int64_t(offset)); };
  if (shared->function->num_results() != 0) {
    return ParallelFor(exec_ctx, size, block_size, [shared, at](size_t from, size_t to) {
      return AsyncValueRef<Chain>(shared->Run(at(from), at(to)));
    });
  }
  auto done = MakeUnconstructedAsyncValueRef<Chain>();
  ParallelFor(
      exec_ctx, size, block_size,
      [shared, at](size_t from, size_t to) { shared->Run(at(from), at(to)); },
      [done = done.CopyRef()] { done.emplace(); });
  return done;
}

// tfrt.parallel_for.i32 (a region) and tfrt.parallel_call.i32 (a function).
void Parallel(int32_t start, int32_t end, int32_t block_size, RemainingArguments extra_values,
              Result<Chain> result, const Function* body, AsyncKernelFrame* frame,
              const ExecutionContext& exec_ctx) {
  bool returns_chain = body->num_results() == 1 && body->result_types()[0] == "!tfrt.chain";
  if (body->num_results() != 0 && !returns_chain) {
    return frame->SetErrors(InternalError("Invalid parallel body function result types"));
  }
  if (start > end) {
    return frame->ReportError(
        InvalidArgumentError(StrCat("parallel loop starts at ", start, ", past its end ", end)));
  }
  if (start != end && block_size < 1) {
    return frame->ReportError(InvalidArgumentError(
        StrCat("parallel loop needs a block size of at least 1, not ", block_size)));
  }
  if (body->num_arguments() != extra_values.size() + 2) {
    return frame->ReportError(InvalidArgumentError(
        StrCat("parallel loop needs a body with ", extra_values.size() + 2, " arguments, but '",
               body->name(), "' has ", body->num_arguments())));
  }
  result.Set(
      RunBlocks({FormRef(body), exec_ctx, extra_values.ValueRefs()}, start, end, block_size));
}

}  // namespace

void RegisterParallelKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt.parallel_for.i32", TFRT_KERNEL(Parallel));
  registry->AddKernel("tfrt.parallel_call.i32", TFRT_KERNEL(Parallel));
}

}  // namespace tfrt
