#include "op_output.h"

#include "tfrt/support/str_cat.h"

namespace tfrt {

void SetResultAfter(OpCall& call, size_t index, DenseHostTensor out, AsyncValueRef<Chain> done) {
  if (done.IsConcrete()) [[likely]]
    return SetResult(call, index, std::move(out));
  if (done.IsError()) return call.SetReportedError(done.GetError());
  // The tensor is the result once its elements are written.
  RCReference<IndirectAsyncValue> later = MakeIndirectAsyncValue();
  call.SetResult(index, later);
  auto result = MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(out));
  AsyncValue* awaited = done.GetAsyncValue();
  awaited->AndThen([done = std::move(done), later, result = std::move(result)]() mutable {
    later->ForwardTo(done.IsError() ? done.ReleaseRCRef() : result.ReleaseRCRef());
  });
}

Status SetResultAfter(OpCall& call, size_t index, DenseHostTensor out, maths::Completion done) {
  if (!done.ok()) return std::move(done).status();
  SetResultAfter(call, index, std::move(out), *std::move(done));
  return OkStatus();
}

StatusOr<maths::Activation> ActivationOf(const OpCall& call) {
  if (!call.attrs().Find("activation")) return maths::Activation::kNone;
  if (auto name = call.attrs().GetString("activation")) return maths::ParseActivation(*name);
  return InvalidArgumentError(
      StrCat("'activation' attribute of ", call.op_name(), " should be a string"));
}

}  // namespace tfrt
