// Ops whose work has several stages, each in blocks over the queue.
#ifndef TFRT_LIB_OPS_HOST_OPS_STAGED_WORK_H_
#define TFRT_LIB_OPS_HOST_OPS_STAGED_WORK_H_

#include <memory>
#include <utility>
#include <vector>

#include "lib/ops/maths/cpu/row_parts.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// The data that the stages share. Owned by them.
struct StagedWork {
  explicit StagedWork(cpu::RowParts parts) : parts(std::move(parts)) {}

  std::vector<DenseHostTensor> inputs;  // kept until the last stage is over
  std::vector<DenseHostTensor> outputs;
  cpu::RowParts parts;
};

// The chain that next() returns, which is called once `done` is there, now or by another thread.
// Work of blocks has no errors.
template <typename F>
AsyncValueRef<Chain> Then(AsyncValueRef<Chain> done, F next) {
  if (done.IsConcrete()) return next();
  RCReference<IndirectAsyncValue> result = MakeIndirectAsyncValue();
  AsyncValue* awaited = done.GetAsyncValue();
  awaited->AndThen([done = std::move(done), result, next = std::move(next)]() mutable {
    result->ForwardTo(next().ReleaseRCRef());
  });
  return AsyncValueRef<Chain>(RCReference<AsyncValue>(std::move(result)));
}

// Sets the call's results to the work's outputs once `done` is available. If the call has fewer
// results, these are the first outputs. The inputs are released before the results become visible.
void SetResultsAfter(OpCall& call, std::shared_ptr<StagedWork> work, AsyncValueRef<Chain> done);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_STAGED_WORK_H_
