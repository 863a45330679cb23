#include <algorithm>
#include <memory>
#include <utility>

#include "graph_call.h"
#include "tfrt/async/chain.h"
#include "tfrt/core_runtime/infer_metadata.h"
#include "tfrt/core_runtime/op_runner.h"
#include "tfrt/core_runtime/op_task.h"
#include "tfrt/core_runtime/run_resources.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

std::vector<AsyncValue*> PointersTo(std::span<const RCReference<AsyncValue>> values) {
  std::vector<AsyncValue*> pointers;
  for (const RCReference<AsyncValue>& value : values) pointers.push_back(value.get());
  return pointers;
}

// The site remembers what the runner has prepared for the device and the dtypes of its last call.
const PreparedOp* Prepared(const PlacedGraphCall& call, std::span<AsyncValue* const> arguments,
                           CallSite* site) {
  std::vector<DType> dtypes;
  for (AsyncValue* argument : arguments) {
    dtypes.push_back(argument ? argument->get<Tensor>().dtype() : DType::kUnsupported);
  }
  CallSite::Prepared& prepared = site->prepared;
  const OpPlace& place = call.place;
  if (prepared.runner != place.runner || prepared.device != place.device ||
      prepared.dtypes != dtypes) {
    prepared.op = nullptr;  // before its device
    prepared = {place.device, place.runner,
                place.runner->Prepare(call.op, *place.device, call.attrs, dtypes),
                std::move(dtypes)};
  }
  return prepared.op.get();
}

// All arguments are available.
Status RunNow(const PlacedGraphCall& call, std::span<RCReference<AsyncValue>> results) {
  const OpDefinition& op = call.op;
  const std::vector<AsyncValue*> arguments = PointersTo(call.arguments);
  for (AsyncValue* argument : arguments) {
    if (argument && argument->IsError()) return argument->GetError();
  }
  AsyncValue* cancelled = call.exec_ctx.request_ctx()->GetCancelAsyncValue();
  if (cancelled) return cancelled->GetError();
  CallSites::Lease lease = call.sites ? call.sites->Take(call.key) : CallSites::Lease();
  CallSite own_site;
  CallSite* site = lease.get() ? lease.get() : &own_site;
  const size_t num_results = results.size() - (op.has_side_effects() ? 1 : 0);
  Status status = InferResultMetadata(op, arguments, call.attrs, num_results, site);
  if (!status.ok()) return EmitError(call.exec_ctx, AtItsPlace(call.exec_ctx, std::move(status)));
  RecordGraphCall(op, arguments, site);
  OpOutcome outcome = RunOpOn(call.place, {.op = op,
                                           .device = *call.place.device,
                                           .allocator = call.place.allocator,
                                           .exec_ctx = call.exec_ctx,
                                           .arguments = arguments,
                                           .attrs = call.attrs,
                                           .result_metadata = site->results,
                                           .results = results.first(num_results),
                                           .prepared = lease.get() && call.place.runner->Has(op)
                                                           ? Prepared(call, arguments, site)
                                                           : nullptr});
  if (!op.has_side_effects()) return OkStatus();
  if (!outcome.error.ok()) {
    results.back() = MakeErrorAsyncValue(std::move(outcome.error));
  } else {
    results.back() = outcome.chain ? outcome.chain.ReleaseRCRef() : GetReadyChain().ReleaseRCRef();
  }
  return OkStatus();
}

void SetResults(const PlacedGraphCall& call, std::span<RCReference<AsyncValue>> results) {
  Status status = RunNow(call, results);
  if (!status.ok()) std::ranges::fill(results, MakeErrorAsyncValue(std::move(status)));
}

}  // namespace

void RunPlacedGraphCall(PlacedGraphCall call, std::span<RCReference<AsyncValue>> results) {
  if (!call.place.Has(call.op)) {
    Status error = NotFoundError(
        StrCat(call.op.name, ": the device ", call.place.device->name(), " does not have the op"));
    std::ranges::fill(results, MakeErrorAsyncValue(EmitError(
                                   call.exec_ctx, AtItsPlace(call.exec_ctx, std::move(error)))));
    return;
  }
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    RCReference<AsyncValue>& argument = call.arguments[i];
    if (!argument) continue;
    AsyncValueRef<Tensor> placed =
        ArgumentForOp(call.op, call.place, {i, call.arguments.size()}, argument.get(),
                      /*from=*/nullptr, call.exec_ctx);
    if (placed) argument = std::move(placed).ReleaseRCRef();
  }
  std::vector<AsyncValue*> awaited = PointersTo(call.arguments);
  std::erase_if(awaited, [](AsyncValue* value) { return !value || value->IsAvailable(); });
  if (awaited.empty()) return SetResults(call, results);
  std::vector<RCReference<IndirectAsyncValue>> promised;
  for (RCReference<AsyncValue>& result : results) {
    promised.push_back(MakeIndirectAsyncValue());
    result = promised.back();
  }
  call.attrs = call.attrs.Freeze();
  RunWhenReady(awaited, [call = std::make_unique<PlacedGraphCall>(std::move(call)),
                         promised = std::move(promised)]() mutable {
    std::vector<RCReference<AsyncValue>> made(promised.size());
    SetResults(*call, made);
    call = nullptr;  // before others use the results
    for (size_t i = 0; i < made.size(); ++i) promised[i]->ForwardTo(std::move(made[i]));
  });
}

}  // namespace tfrt
