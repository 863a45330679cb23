#include "tfrt/core_runtime/core_runtime.h"

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
          StrCat("the composite op ", function_->name(), " takes ",
                 function_->num_arguments() - 1, " tensors and has ",
                 function_->num_results() - 1, " results, but is called with ",
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
      invocation.results[i] = HandleOf(std::move(results[i + 1]));
    }
  }

 private:
  // A handle for one that may come later.
  static TensorHandle HandleOf(RCReference<AsyncValue> value) {
    if (value->IsError()) return TensorHandle::CreateError(std::move(value));
    if (value->IsConcrete()) return value->get<TensorHandle>();
    RCReference<IndirectAsyncValue> tensor = MakeIndirectAsyncValue();
    auto device = MakeUnconstructedAsyncValueRef<RCReference<Device>>();
    RCReference<IndirectAsyncValue> metadata = MakeIndirectAsyncValue();
    TensorHandle result(device.CopyRef(),
                        TensorHandle::AsyncMetadata(RCReference<AsyncValue>(metadata)),
                        AsyncValueRef<Tensor>(RCReference<AsyncValue>(tensor)));
    AsyncValue* awaited = value.get();
    awaited->AndThen([value = std::move(value), tensor, device = std::move(device), metadata] {
      if (value->IsError()) {
        device.SetError(value->GetError());
        metadata->ForwardTo(value);
        tensor->ForwardTo(value);
        return;
      }
      const auto& handle = value->get<TensorHandle>();
      device.emplace(handle.IsDeviceAvailable() ? handle.AvailableDevice()
                                                : RCReference<Device>());
      if (const TensorMetadata* known = handle.AvailableMetadata()) {
        metadata->ForwardTo(MakeAvailableAsyncValueRef<TensorMetadata>(*known).ReleaseRCRef());
      } else if (handle.async_metadata() != handle.async_tensor()) {
        metadata->ForwardTo(FormRef(handle.async_metadata()));
      } else {
        // The metadata are the tensor's.
        AsyncValueRef<TensorMetadata> later =
            handle.tensor().Map([](Tensor& tensor) { return tensor.metadata(); });
        metadata->ForwardTo(later.ReleaseRCRef());
      }
      tensor->ForwardTo(handle.tensor().CopyRCRef());
    });
    return result;
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

void CoreRuntime::Execute(std::string_view op_name, OpHandler* handler,
                          const OpInvocation& invocation) {
  StatusOr<CoreRuntimeOp> op = handler->MakeOp(op_name);
  if (!op.ok()) return invocation.ReportError(op.status());
  (*op)(invocation);
}

StatusOr<CoreRuntimeOp> CoreRuntime::MakeCompositeOp(const Function* function) {
  auto arguments = function->argument_types();
  auto results = function->result_types();
  if (arguments.empty() || results.empty()) {
    return InvalidArgumentError(
        StrCat("a composite op needs a function that takes and returns a chain, but ",
               function->name(), " has ", arguments.size(), " arguments and ", results.size(),
               " results"));
  }
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == kTensorHandleType) continue;
    return InvalidArgumentError(StrCat("The function should only takes type [", kTensorHandleType,
                                       "] as input. But the ", i - 1, "-th argument is type [",
                                       arguments[i], "]."));
  }
  for (size_t i = 1; i < results.size(); ++i) {
    if (results[i] == kTensorHandleType) continue;
    return InvalidArgumentError(StrCat("The function should only returns type [",
                                       kTensorHandleType, "]. But the ", i - 1,
                                       "-th results is type [", results[i], "]."));
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
