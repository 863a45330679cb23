#include "run_bef.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "lib/base/tracing/tracing.h"
#include "lib/compat/handles/core_runtime.h"
#include "lib/compat/test_kernels/kernel_groups.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "lib/runtime/host/resource_context.h"
#include "limited_allocator.h"
#include "tfrt/async/chain.h"
#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/executor/bef_file.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/function.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/kernels/kernel_groups.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/kernels/test_kernels.h"
#include "tfrt/maths/compute_backend.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace {

// Cancels the request that runs after a number of kernels, each of which opens a scope of the level
// kDebug, or, should a loop run none, after some time.
class Watchdog : public tracing::Sink {
 public:
  static Watchdog& Get() {
    static Watchdog* watchdog = new Watchdog;  // its thread runs until the process ends
    return *watchdog;
  }
  void Watch(RequestContext* request, uint32_t max_kernels) {
    std::lock_guard lock(mutex_);
    request_ = request;
    left_ = max_kernels;
    deadline_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
  }
  void PushScope(std::string_view) override {
    if (left_-- == 0 && request_) request_->Cancel(ResourceExhaustedError("budget"));
  }
  void PopScope() override {}
  void RecordEvent(std::string_view) override {}

 private:
  Watchdog() {
    tracing::AddSink(this, tracing::Level::kDebug);
    std::thread([this] {
      while (true) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::lock_guard lock(mutex_);
        if (request_ && std::chrono::steady_clock::now() > deadline_) request_->Cancel();
      }
    }).detach();
  }

  std::mutex mutex_;
  RequestContext* request_ = nullptr;  // changed by the running thread under the lock
  std::chrono::steady_clock::time_point deadline_;
  uint32_t left_ = 0;  // of the running thread
};

// What the logging handlers of programs write goes nowhere: the file that they open is a link to
// the null device, which the build has made.
void DropLogs() { setenv("LOGGING_DEV_METADATA_DUMP_PREFIX", TFRT_NULL_LOG_PREFIX, 1); }

// A tensor of f32, [2, 2]. Not of the host's memory, which may be refused: whoever made the
// argument would have to say so.
TensorHandle MakeHandle(HostContext& host) {
  static HostAllocator* const allocator = CreateMallocAllocator().release();
  auto tensor = DenseHostTensor::CreateUninitialized({DType::kF32, TensorShape{2, 2}}, allocator);
  if (!tensor.ok()) std::abort();
  StatusOr<void*> data = tensor->MutableData();
  std::fill_n(static_cast<float*>(*data), 4, 1.5f);
  return TensorHandle(CoreRuntime::Of(&host).host_device(),
                      MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor)));
}

// The handler of the host's ops, behind which there is nothing.
OpHandler* MakeOpHandler(HostContext& host) {
  CoreRuntime& runtime = CoreRuntime::Of(&host);
  OpHandler* null = runtime.TakeOpHandler(CreateNullOpHandler());
  return runtime.TakeOpHandler(CreateCpuOpHandler(
      &host, host.GetOrCreateSharedContext<CpuOps>().ops(), runtime.host_device(), null));
}

constexpr std::string_view kHandle = "!corert.tensorhandle", kOpHandler = "!corert.ophandler";

RCReference<AsyncValue> ArgumentOf(std::string_view type, HostContext& host) {
  if (type == kHandle) {
    return MakeAvailableAsyncValueRef<TensorHandle>(MakeHandle(host)).ReleaseRCRef();
  }
  if (type == kOpHandler) {
    return MakeAvailableAsyncValueRef<OpHandler*>(MakeOpHandler(host)).ReleaseRCRef();
  }
  if (type == "i1") return MakeAvailableAsyncValueRef<bool>(true).ReleaseRCRef();
  if (type == "i64") return MakeAvailableAsyncValueRef<int64_t>(3).ReleaseRCRef();
  if (type == "f32") return MakeAvailableAsyncValueRef<float>(1.5f).ReleaseRCRef();
  if (type == "f64") return MakeAvailableAsyncValueRef<double>(2.5).ReleaseRCRef();
  if (type == "!tfrt.chain") return GetReadyChain().ReleaseRCRef();
  if (type == "!tfrt.string") return MakeAvailableAsyncValueRef<std::string>("s").ReleaseRCRef();
  return MakeAvailableAsyncValueRef<int32_t>(2).ReleaseRCRef();
}

void RunAsync(HostContext& host, const Function& function, const ExecutionContext& exec_ctx) {
  std::vector<RCReference<AsyncValue>> arguments, results(function.num_results());
  for (std::string_view type : function.argument_types())
    arguments.push_back(ArgumentOf(type, host));
  std::vector<AsyncValue*> borrowed;
  for (const auto& argument : arguments) borrowed.push_back(argument.get());
  function.Execute(exec_ctx, borrowed, results);
  // Not Await: a result may never come, if nothing is queued that would make it.
  host.Quiesce();
}

void RunSync(HostContext& host, const Function& function, const ExecutionContext& exec_ctx) {
  std::vector<Value> arguments(function.num_arguments()), results(function.num_results());
  std::vector<Value*> pointers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (function.argument_types()[i] == kHandle) {
      arguments[i].emplace<TensorHandle>(MakeHandle(host));
    } else if (function.argument_types()[i] == kOpHandler) {
      arguments[i].emplace<OpHandler*>(MakeOpHandler(host));
    } else {
      arguments[i].emplace<int32_t>(2);
    }
    pointers.push_back(&arguments[i]);
  }
  (void)function.ExecuteSync(exec_ctx, pointers, results);
}

void RegisterKernels(KernelRegistry* registry) {
  RegisterBasicKernels(registry);
  RegisterCallKernels(registry);
  RegisterBranchKernels(registry);
  RegisterWhileKernel(registry);
  RegisterRepeatKernel(registry);
  RegisterOnceKernel(registry);
  RegisterTensorKernels(registry);
  RegisterEigenKernels(registry);
  RegisterContractionKernels(registry);
  RegisterCoreRuntimeKernels(registry);
  RegisterValueTrackingKernels(registry);
  // Of the kernels for tests those that neither sleep, nor measure times, nor leak on purpose.
  RegisterAsyncValueTestKernels(registry);
  RegisterAttributeTestKernels(registry);
  RegisterErrorTestKernels(registry);
  RegisterForwardingTestKernels(registry);
  RegisterIntegerTestKernels(registry);
  RegisterLocationTestKernels(registry);
  RegisterNonstrictTestKernels(registry);
  RegisterPromiseTestKernels(registry);
  RegisterResourceTestKernels(registry);
  RegisterStringTestKernels(registry);
  RegisterSyncTestKernels(registry);
  RegisterTutorialKernels(registry);
}

std::unique_ptr<HostContext> MakeHost(std::unique_ptr<HostAllocator> allocator,
                                      DiagnosticHandler diagnostic_handler) {
  auto host = std::make_unique<HostContext>(std::move(diagnostic_handler), std::move(allocator),
                                            CreateSingleThreadedWorkQueue());
  RegisterKernels(&host->kernel_registry());
  // Whose code is instrumented.
  if (!SetComputeBackend(host.get(), ComputeBackend::kEigen).ok()) std::abort();
  return host;
}

std::unique_ptr<HostContext> MakeLimitedHost(size_t max_bytes) {
  return MakeHost(std::make_unique<LimitedAllocator>(max_bytes), [](const DecodedDiagnostic&) {});
}

constexpr size_t kMaxBytes = size_t{16} << 20;
// An op may do as much work as the square of its arguments' sizes.
constexpr size_t kMaxBytesOfOps = size_t{1} << 18;

// Whether the file can name a kernel of the core runtime.
bool MayUseCoreRuntime(std::span<const uint8_t> bytes) {
  constexpr std::string_view kPrefix = "corert";
  return std::search(bytes.begin(), bytes.end(), kPrefix.begin(), kPrefix.end()) != bytes.end();
}

}  // namespace

struct BefRunner::Impl {
  // Op handlers live as long as their host, and their names are the host's: files that may use them
  // have hosts of their own, so that what they leave does not pile up.
  HostContext& HostFor(std::span<const uint8_t> bytes) {
    if (files_per_host == 0 || !MayUseCoreRuntime(bytes)) return *shared;
    if (num_files_run == files_per_host) with_ops.reset();
    if (!with_ops) {
      with_ops = MakeLimitedHost(kMaxBytesOfOps);
      num_files_run = 0;
    }
    return *with_ops;
  }

  std::unique_ptr<HostContext> shared;
  int files_per_host = 0;  // 0: `shared` runs all files
  std::unique_ptr<HostContext> with_ops = nullptr;
  int num_files_run = 0;  // on that
};

BefRunner::BefRunner(int files_per_host)
    : impl_(new Impl{.shared = MakeLimitedHost(kMaxBytes), .files_per_host = files_per_host}) {
  DropLogs();
}

BefRunner::BefRunner(std::unique_ptr<HostAllocator> allocator, DiagnosticHandler diagnostic_handler)
    : impl_(new Impl{.shared = MakeHost(std::move(allocator), std::move(diagnostic_handler))}) {
  DropLogs();
}
BefRunner::~BefRunner() = default;

RunOutcome BefRunner::Run(std::span<const uint8_t> bytes, const RunBudget& budget) {
  HostContext& host = impl_->HostFor(bytes);
  auto file = BefFile::Open(BefImage::CopyOf(bytes), &host);
  if (!file.ok()) return RunOutcome::kRefused;
  if (&host == impl_->with_ops.get()) ++impl_->num_files_run;
  Watchdog& watchdog = Watchdog::Get();
  RunOutcome outcome = RunOutcome::kOpened;
  for (const Function* function : (*file)->functions()) {
    ResourceContext resources;
    RequestContextBuilder builder(&host, &resources);
    builder.set_max_call_depth(budget.max_call_depth);
    RCReference<RequestContext> request = std::move(builder).Build();
    watchdog.Watch(request.get(), budget.max_kernels);
    ExecutionContext exec_ctx(request);
    if (function->kind() == FunctionKind::kSync) {
      RunSync(host, *function, exec_ctx);
    } else {
      RunAsync(host, *function, exec_ctx);
    }
    watchdog.Watch(nullptr, 0);
    outcome = RunOutcome::kRun;
  }
  return outcome;
}

}  // namespace tfrt
