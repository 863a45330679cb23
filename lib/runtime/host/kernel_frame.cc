#include "tfrt/host_context/kernel_frame.h"

#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

void AsyncKernelFrame::ReportError(Status error) const {
  SetErrors(EmitError(exec_ctx(), std::move(error)));
}

void AsyncKernelFrame::SetErrors(const Status& error) const {
  RequireCheck();
  RCReference<AsyncValue> shared;  // one error value for all results that are not set
  for (uint32_t i = 0; i < num_results(); ++i) {
    AsyncValue* value = result(i);
    if (!value) {
      if (!shared) shared = MakeErrorAsyncValue(error);
      SetResult(i, shared);
    } else if (HasMade(i) && !value->IsAvailable() && !value->IsForwarded()) {
      value->SetError(error);
    }
  }
}

void AsyncKernelFrame::MarkLaterMade(uint32_t index) const {
  if ((checks_ & kLaterMade) == 0) later_made_ = new bool[num_results() - kNumMadeBits]();
  checks_ |= kLaterMade;
  later_made_[index - kNumMadeBits] = true;
}

bool AsyncKernelFrame::HasMade(uint32_t index) const {
  if (index < kNumMadeBits) return (checks_ & MadeBit(index)) != 0;
  return (checks_ & kLaterMade) != 0 && later_made_[index - kNumMadeBits];
}

void SyncKernelFrame::ReportError(Status error) {
  status_ = EmitError(exec_ctx(), std::move(error));
}

namespace internal {
namespace {
std::string ArgumentTypeMessage(uint32_t index, TypeId actual, TypeId wanted) {
  return StrCat("argument ", index, " has type '", TypeName(actual), "', but the kernel takes '",
                TypeName(wanted), "'");
}
}  // namespace

bool ReportArgumentType(AsyncKernelFrame* frame, uint32_t index, TypeId wanted) {
  AsyncValue* value = frame->argument(index);
  if (value->IsError()) {
    // Only a non-strict kernel gets here: its typed argument is an error, so its results are.
    frame->SetErrors(value->GetError());
  } else if (!value->IsAvailable()) {
    frame->ReportError(StrCat("argument ", index,
                              " is not available; a non-strict kernel must "
                              "take it as an AsyncValue"));
  } else {
    frame->ReportError(InvalidArgumentError(ArgumentTypeMessage(index, value->type_id(), wanted)));
  }
  return false;
}

bool ReportArgumentType(SyncKernelFrame* frame, uint32_t index, TypeId wanted) {
  frame->ReportError(
      InvalidArgumentError(ArgumentTypeMessage(index, frame->argument(index).type_id(), wanted)));
  return false;
}

}  // namespace internal
}  // namespace tfrt
