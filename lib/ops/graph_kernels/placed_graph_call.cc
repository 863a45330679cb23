#include <algorithm>
#include <ranges>
#include <utility>

#include "graph_call.h"
#include "lib/ops/op_call/infer_metadata.h"
#include "lib/ops/op_call/op_runner.h"
#include "lib/ops/op_call/op_task.h"
#include "lib/ops/op_call/run_op.h"
#include "lib/ops/op_call/run_resources.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

Status LocateError(const OpDefinition&, Location where, OpMetadataArguments, const TensorMetadata*,
                   const Status& error) {
  return AtPlace(where, error);
}

// The call on its way, with what its site remembers.
class PlacedTask final : public OpTask {
 public:
  PlacedTask(PlacedGraphCall call, const OpAttrsRef& borrowed,
             std::span<RCReference<AsyncValue>> given)
      : OpTask(call.op, call.exec_ctx, /*takes_dense=*/false),
        call_(std::move(call)),
        given_(given) {
    attrs = borrowed;  // until something comes later
    results.resize(given.size() - (op.has_side_effects() ? 1 : 0));
  }

 private:
  const OpPlace& place() const override { return call_.place; }
  PoolVector<AsyncValue*> Arguments() const override {
    PoolVector<AsyncValue*> values;
    for (const auto& argument : call_.arguments) values.push_back(argument.get());
    return values;
  }
  OpErrorText explain() const override { return call_.locates_errors ? &LocateError : nullptr; }
  AsyncValueRef<Tensor> Converted(size_t index, AsyncValue* value) override {
    return ArgumentForOp(op, place(), {index, call_.arguments.size()}, value, /*from=*/nullptr,
                         exec_ctx);
  }

  OpOutcome Execute(OpRun& run) override {
    CallSites::Lease lease = call_.sites ? call_.sites->Take(call_.key) : CallSites::Lease();
    CallSite own_site;
    CallSite* site = lease.get() ? lease.get() : &own_site;
    Status status = InferResultMetadata(op, run.arguments, attrs, run.results.size(), site);
    if (!status.ok()) return FailedCall(exec_ctx, std::move(status), run.results);
    RecordGraphCall(op, run.arguments, site);
    run.result_metadata = site->results;
    if (lease.get() && place().runner->Has(op)) run.prepared = Prepared(run.arguments, site);
    return OpTask::Execute(run);
  }
  // The site remembers what the runner has prepared for the device and the dtypes of its last call.
  const PreparedOp* Prepared(std::span<AsyncValue* const> arguments, CallSite* site) {
    auto dtypes = std::views::transform(arguments, [](const AsyncValue* argument) {
      return argument ? argument->get<Tensor>().dtype() : DType::kUnsupported;
    });
    CallSite::Prepared& prepared = site->prepared;
    if (prepared.runner != place().runner || prepared.device != place().device ||
        !std::ranges::equal(prepared.dtypes, dtypes)) {
      prepared.op = nullptr;  // before its device
      prepared.device = place().device;
      prepared.runner = place().runner;
      prepared.dtypes.assign(dtypes.begin(), dtypes.end());
      prepared.op = place().runner->Prepare(op, *place().device, attrs, prepared.dtypes);
    }
    return prepared.op.get();
  }

  // The results become promises, on the kernel's thread, the first time that something comes later.
  void Proceed(std::span<AsyncValue* const> values, void (OpTask::*next)()) override {
    if (!are_promised_) {
      for (size_t i = 0; i < results.size(); ++i) {
        given_[i] = results[i] = MakeIndirectAsyncValue();
      }
      if (op.has_side_effects()) given_.back() = chain = MakeIndirectAsyncValue();
      given_ = {};
      attrs = attrs.Freeze();
      are_promised_ = true;
    }
    OpTask::Proceed(values, next);
  }
  void Publish(Outcome outcome) override {
    call_.arguments.clear();
    if (are_promised_) {
      PublishResults(outcome);
    } else {
      std::ranges::move(outcome.values, given_.begin());
      if (op.has_side_effects()) given_.back() = TokenOf(outcome).ReleaseRCRef();
    }
    delete this;
  }

  PlacedGraphCall call_;
  std::span<RCReference<AsyncValue>> given_;  // the kernel's, until they are promised
  bool are_promised_ = false;                 // also of a call without results
};

}  // namespace

void RunPlacedGraphCall(PlacedGraphCall call, const OpAttrsRef& attrs,
                        std::span<RCReference<AsyncValue>> results) {
  if (!call.place.Has(call.op)) {
    Status error = NotFoundError(
        StrCat(call.op.name, ": the device ", call.place.device->name(), " does not have the op"));
    FailedCall(call.exec_ctx, std::move(error), results);
    return;
  }
  (new PlacedTask(std::move(call), attrs, results))->Run();
}

}  // namespace tfrt
