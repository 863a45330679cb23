#include "staged_work.h"

#include <algorithm>

#include "op_output.h"

namespace tfrt {

void SetResultsAfter(OpCall& call, std::shared_ptr<StagedWork> work, AsyncValueRef<Chain> done) {
  const size_t count = std::min(call.num_results(), work->outputs.size());
  if (done.IsConcrete()) {
    for (size_t i = 0; i < count; ++i) SetResult(call, i, std::move(work->outputs[i]));
    return;
  }
  std::vector<RCReference<IndirectAsyncValue>> later;
  for (size_t i = 0; i < count; ++i) {
    later.push_back(MakeIndirectAsyncValue());
    call.SetResult(i, later.back());
  }
  AsyncValue* awaited = done.GetAsyncValue();
  awaited->AndThen([done = std::move(done), work = std::move(work), later = std::move(later)] {
    work->inputs.clear();
    std::vector<DenseHostTensor> outputs = std::move(work->outputs);
    for (size_t i = 0; i < later.size(); ++i) {
      later[i]->ForwardTo(
          MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(outputs[i])).ReleaseRCRef());
    }
  });
}

}  // namespace tfrt
