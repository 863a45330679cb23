#include "core_runtime.h"

#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr std::string_view kTensorHandleType = "!corert.tensorhandle";

class CompositeOp final : public CoreRuntimeOp::Impl {
 public:
  explicit CompositeOp(RCReference<const Function> function) : function_(std::move(function)) {}

  void Execute(const OpInvocation& invocation) const override {
    size_t num_arguments = invocation.arguments.size() + 1;
    size_t num_results = invocation.results.size() + 1;
    if (num_arguments != function_->num_arguments() || num_results != function_->num_results()) {
      return invocation.ReportError(InvalidArgumentError(
          StrCat("the composite op ", function_->name(), " takes ", function_->num_arguments() - 1,
                 " tensors and has ", function_->num_results() - 1, " results, but is called with ",
                 invocation.arguments.size(), " and ", invocation.results.size())));
    }
    std::vector<RCReference<AsyncValue>> arguments;
    arguments.reserve(num_arguments);
    arguments.push_back(invocation.chain ? std::move(*invocation.chain).ReleaseRCRef()
                                         : GetReadyChain().ReleaseRCRef());
    for (TensorHandle& argument : invocation.arguments) {
      arguments.push_back(
          MakeAvailableAsyncValueRef<TensorHandle>(std::move(argument)).ReleaseRCRef());
    }
    std::vector<RCReference<AsyncValue>> results(num_results);
    function_->ExecuteByValue(invocation.exec_ctx, arguments, results);
    if (invocation.chain) *invocation.chain = AsyncValueRef<Chain>(std::move(results[0]));
    for (size_t i = 0; i < invocation.results.size(); ++i) {
      invocation.results[i] = HandleOf(std::move(results[i + 1]), invocation.exec_ctx);
    }
  }

 private:
  // A function names its types only as text, so its values may have other types.
  Status CheckHandle(const AsyncValue& value, const ExecutionContext& exec_ctx) const {
    if (value.IsType<TensorHandle>()) return OkStatus();
    return EmitError(exec_ctx, InvalidArgumentError(
                                   StrCat("the composite op ", function_->name(), " returned a '",
                                          TypeName(value.type_id()), "' as a tensor handle")));
  }

  // A handle for one that may come later.
  TensorHandle HandleOf(RCReference<AsyncValue> value, const ExecutionContext& exec_ctx) const {
    if (value->IsError()) return TensorHandle::CreateError(std::move(value));
    if (value->IsConcrete()) {
      Status status = CheckHandle(*value, exec_ctx);
      if (!status.ok()) return TensorHandle::CreateError(std::move(status));
      return value->get<TensorHandle>();
    }
    RCReference<IndirectAsyncValue> tensor = MakeIndirectAsyncValue();
    auto device = MakeUnconstructedAsyncValueRef<RCReference<Device>>();
    RCReference<IndirectAsyncValue> metadata = MakeIndirectAsyncValue();
    TensorHandle result(device.CopyRef(),
                        TensorHandle::AsyncMetadata(RCReference<AsyncValue>(metadata)),
                        AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor)));
    AsyncValue* awaited = value.get();
    awaited->AndThen([op = FormRef(this), exec_ctx, value = std::move(value), tensor,
                      device = std::move(device), metadata]() mutable {
      if (value->IsConcrete()) {
        Status status = op->CheckHandle(*value, exec_ctx);
        if (!status.ok()) value = MakeErrorAsyncValue(std::move(status));
      }
      if (value->IsError()) {
        device.SetError(value->GetError());
        metadata->ForwardTo(value);
        tensor->ForwardTo(value);
        return;
      }
      const auto& handle = value->get<TensorHandle>();
      device.emplace(handle.IsDeviceAvailable() ? handle.AvailableDevice() : RCReference<Device>());
      metadata->ForwardTo(MetadataOf(handle).ReleaseRCRef());
      tensor->ForwardTo(handle.tensor().CopyRCRef());
    });
    return result;
  }

  static TensorHandle::AsyncMetadata MetadataOf(const TensorHandle& handle) {
    if (const TensorMetadata* known = handle.AvailableMetadata()) {
      return MakeAvailableAsyncValueRef<TensorMetadata>(*known);
    }
    AsyncValue* pending = handle.async_metadata();
    if (pending != handle.async_tensor()) return TensorHandle::AsyncMetadata(FormRef(pending));
    // The metadata are the tensor's.
    return handle.tensor().Map([](Tensor& tensor) { return tensor.metadata(); });
  }

  RCReference<const Function> function_;
};

class NativeCompositeOp final : public CoreRuntimeOp::Impl {
 public:
  explicit NativeCompositeOp(std::function<void(const OpInvocation&)> function)
      : function_(std::move(function)) {}
  void Execute(const OpInvocation& invocation) const override { function_(invocation); }

 private:
  std::function<void(const OpInvocation&)> function_;
};

}  // namespace

CoreRuntime::CoreRuntime(HostContext* host) : host_(host), host_device_(host->GetHostDevice()) {}

CoreRuntime::~CoreRuntime() {
  // Ops before the handlers that made them.
  for (std::atomic<FoundOp*>& bucket : found_ops_) {
    for (FoundOp* entry = bucket.load(std::memory_order_relaxed); entry;) {
      FoundOp* next = entry->next;
      delete entry;
      entry = next;
    }
  }
  // Each handler before its fallback, which came first; a vector would begin with that.
  while (!handlers_.empty()) handlers_.pop_back();
}

OpHandler* CoreRuntime::TakeOpHandler(std::unique_ptr<OpHandler> handler) {
  std::lock_guard lock(mutex_);
  handlers_.push_back(std::move(handler));
  return handlers_.back().get();
}

void CoreRuntime::RegisterOpHandler(std::string_view name, OpHandler* handler) {
  std::lock_guard lock(mutex_);
  by_name_.emplace(name, handler);
}

StatusOr<OpHandler*> CoreRuntime::GetOpHandler(std::string_view name) const {
  std::lock_guard lock(mutex_);
  auto found = by_name_.find(name);
  if (found == by_name_.end()) return NotFoundError(StrCat("op_handler not found: ", name));
  return found->second;
}

const CoreRuntimeOp* CoreRuntime::FindInChain(const FoundOp* chain, std::string_view name,
                                              OpHandler* handler) {
  for (; chain; chain = chain->next) {
    if (chain->handler == handler && chain->name == name) return &chain->op;
  }
  return nullptr;
}

StatusOr<const CoreRuntimeOp*> CoreRuntime::FindOp(std::string_view op_name, OpHandler* handler) {
  size_t hash = std::hash<std::string_view>()(op_name) ^ reinterpret_cast<uintptr_t>(handler) / 16;
  std::atomic<FoundOp*>& bucket = found_ops_[hash % kFoundOpBuckets];
  // acquire: sees what has been written of the entries.
  FoundOp* chain = bucket.load(std::memory_order_acquire);
  if (const CoreRuntimeOp* op = FindInChain(chain, op_name, handler)) [[likely]]
    return op;
  // Without the lock: a handler may ask the runtime for other ops.
  TFRT_ASSIGN_OR_RETURN(CoreRuntimeOp made, handler->MakeOp(op_name));
  std::lock_guard lock(mutex_);
  chain = bucket.load(std::memory_order_relaxed);
  if (const CoreRuntimeOp* op = FindInChain(chain, op_name, handler)) return op;
  auto* entry = new FoundOp{handler, std::string(op_name), std::move(made), chain};
  // release: pairs with the acquire above.
  bucket.store(entry, std::memory_order_release);
  return &entry->op;
}

void CoreRuntime::Execute(std::string_view op_name, OpHandler* handler,
                          const OpInvocation& invocation) {
  StatusOr<const CoreRuntimeOp*> op = FindOp(op_name, handler);
  if (!op.ok()) return invocation.ReportError(op.status());
  (**op)(invocation);
}

StatusOr<CoreRuntimeOp> CoreRuntime::MakeCompositeOp(const Function* function) {
  auto arguments = function->argument_types();
  auto results = function->result_types();
  if (arguments.empty() || results.empty()) {
    return InvalidArgumentError(StrCat(
        "a composite op needs a function that takes and returns a chain, but ", function->name(),
        " has ", arguments.size(), " arguments and ", results.size(), " results"));
  }
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == kTensorHandleType) continue;
    return InvalidArgumentError(StrCat("The function should only takes type [", kTensorHandleType,
                                       "] as input. But the ", i - 1, "-th argument is type [",
                                       arguments[i], "]."));
  }
  for (size_t i = 1; i < results.size(); ++i) {
    if (results[i] == kTensorHandleType) continue;
    return InvalidArgumentError(StrCat("The function should only returns type [", kTensorHandleType,
                                       "]. But the ", i - 1, "-th results is type [", results[i],
                                       "]."));
  }
  return CoreRuntimeOp(
      RCReference<const CoreRuntimeOp::Impl>(MakeRef<CompositeOp>(FormRef(function))));
}

CoreRuntimeOp CoreRuntime::MakeNativeCompositeOp(
    std::function<void(const OpInvocation&)> function) {
  return CoreRuntimeOp(
      RCReference<const CoreRuntimeOp::Impl>(MakeRef<NativeCompositeOp>(std::move(function))));
}

}  // namespace tfrt
