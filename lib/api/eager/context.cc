#include "tfrt/eager/context.h"

#include <atomic>
#include <cassert>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "context_impl.h"
#include "lib/base/support/call_guarded.h"
#include "lib/base/support/logging.h"
#include "lib/ops/host_ops/cpu_ops.h"
#include "lib/ops/op_call/op_defaults.h"
#include "op_scope.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

const OpRegistry& HostOps() {
  static const OpRegistry* const ops = [] {
    auto* registry = new OpRegistry();
    RegisterCpuOps(registry);
    return registry;
  }();
  return *ops;
}

StatusOr<std::unique_ptr<HostContext>> CreateHost(const ContextOptions& options,
                                                  HostAllocator* memory) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<ConcurrentWorkQueue> queue,
                        CreateWorkQueue(options.work_queue));
  DiagnosticHandler handler = options.diagnostic_handler;
  if (!handler) handler = [](const DecodedDiagnostic&) {};
  return std::make_unique<HostContext>(std::move(handler), memory, std::move(queue));
}

uint64_t NextContextId() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;  // relaxed: only a number
}

}  // namespace

thread_local constinit Scope::State* current_scope = nullptr;

Scope::State* CurrentScopeForCall(Location where) {
  Scope::State* scope = current_scope;
  if (!scope) return nullptr;
  // relaxed: a Restart by another thread is noticed soon.
  if (scope->generation != scope->context.generation.load(std::memory_order_relaxed)) [[unlikely]] {
    scope->context.UpdateRequest(*scope);
  }
  scope->exec_ctx.set_location(where);
  return scope;
}

const OpDefinition& HostOp(std::string_view name) {
  const OpDefinition* op = HostOps().Find(name);
  assert(op && "a generated function names an op that is not registered");
  return *op;
}

// --- Context::Impl ---

Context::Impl::Impl(Context* context, ContextOptions options_in,
                    std::vector<ContextDevice> devices_in, std::vector<uint8_t> priority,
                    std::unique_ptr<HostAllocator> own_memory,
                    std::unique_ptr<HostContext> own_host_in, RCReference<OpLog> log)
    : context(context),
      options(std::move(options_in)),
      host(options.host ? options.host : own_host_in.get()),
      core(new ContextCore(context, NextContextId(), std::move(own_memory), std::move(devices_in),
                           host->GetOrCreateSharedContext<DeviceMemories>().copies(),
                           host->GetOrCreateSharedContext<ConversionRegistry>())),
      id(core->context_id),
      own_host(std::move(own_host_in)),
      devices(core->devices),
      priority(std::move(priority)),
      cache(options.kernel_cache_capacity),
      log(std::move(log)),
      request_(RequestContextBuilder(host, nullptr).Build()),
      last_effect_(GetReadyChain()),
      max_upload_bytes_(host->device_manager().accelerator_options().max_in_flight_bytes) {
  if (options.order == ExecutionOrder::kFifo) fifo_ = std::make_unique<FifoExecutor>();
}

Context::Impl::~Impl() {
  // Those who read may wait for what is pending, which is over first; they may have scopes, and
  // make nodes, of their own.
  Wait();
  AsyncValueRef<Chain> reads_ended = core->EndReads();
  AsyncValue* awaited = reads_ended.GetAsyncValue();
  AwaitOnTop(host, {&awaited, 1});
  if (std::lock_guard lock(mutex_); !scopes_.empty()) {
    TFRT_LOG(FATAL) << "a tfrt::eager::Context ends before its scopes, of which there are "
                    << scopes_.size();
  }
  Wait();
  core->SetContextGone();
}

Status Context::Impl::CheckProcess() const {
  if (fork_generation == ForkGeneration()) return OkStatus();
  return FailedPreconditionError(
      "the context belongs to the process that this one was forked from, whose threads are not "
      "here");
}

uint16_t Context::Impl::FindDevice(std::string_view name) const {
  for (size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].name() == name) return static_cast<uint16_t>(i);
  }
  return kNoDevice;
}

StatusOr<Device*> Context::Impl::GetDevice(std::string_view name) const {
  TFRT_RETURN_IF_ERROR(CheckProcess());
  const uint16_t found = FindDevice(name);
  if (found == kNoDevice) return NoDevice(name);
  return devices[found].device.get();
}

Status Context::Impl::NoDevice(std::string_view name) const {
  return NotFoundError(StrCat("there is no device ", name, "; the devices are ", DeviceNames()));
}

std::string Context::Impl::DeviceNames() const { return NamesOf(devices); }

RCReference<RequestContext> Context::Impl::request() {
  std::lock_guard lock(mutex_);
  return request_;
}

void Context::Impl::UpdateRequest(Scope::State& scope) {
  std::lock_guard lock(mutex_);
  scope.generation = generation.load(std::memory_order_relaxed);
  scope.exec_ctx = ExecutionContext(request_);
}

void Context::Impl::NoteError(const Status& error) {
  if (error.ok() || error.code() == StatusCode::kCancelled) return;
  std::lock_guard lock(mutex_);
  if (!error_.ok()) return;
  error_ = error;
  has_error_.store(true, std::memory_order_relaxed);
}

Status Context::Impl::TakeError() {
  // relaxed: an error of another thread is seen soon; whoever has waited for the call sees it now.
  if (!has_error_.load(std::memory_order_relaxed)) [[likely]]
    return OkStatus();
  std::lock_guard lock(mutex_);
  has_error_.store(false, std::memory_order_relaxed);
  return std::exchange(error_, OkStatus());
}

void Context::Impl::Cancel() {
  request()->Cancel();
  cancel_listeners->Call();
}

std::shared_ptr<void> CancelListeners::Add(const std::shared_ptr<CancelListeners>& to,
                                           std::function<void()> listener) {
  std::lock_guard lock(to->mutex_);
  const uint64_t id = ++to->last_;
  to->listeners_.emplace(id, std::make_shared<const std::function<void()>>(std::move(listener)));
  return std::shared_ptr<void>(nullptr, [to, id](void*) {
    std::lock_guard erase_lock(to->mutex_);
    to->listeners_.erase(id);
  });
}

void CancelListeners::Call() {
  std::lock_guard lock(mutex_);
  if (std::exchange(is_calling_, true)) return;
  for (auto next = listeners_.begin(); next != listeners_.end();) {
    const auto [id, listener] = *next;
    (*listener)();
    next = listeners_.upper_bound(id);
  }
  is_calling_ = false;
}

void Context::Impl::Restart() {
  std::lock_guard lock(mutex_);
  if (!request_->IsCancelled()) return;
  request_ = RequestContextBuilder(host, nullptr).Build();
  // relaxed: whoever notices takes the lock.
  generation.fetch_add(1, std::memory_order_relaxed);
}

AsyncValueRef<Chain> Context::Impl::ExchangeLastEffect(AsyncValueRef<Chain> chain) {
  std::lock_guard lock(mutex_);
  return std::exchange(last_effect_, std::move(chain));
}

void Context::Impl::AddScope(Scope::State* scope) {
  std::lock_guard lock(mutex_);
  scopes_.push_back(scope);
  if (free_call_caches_.empty()) {
    call_caches_.push_back(std::make_unique<CallCache>());
    free_call_caches_.push_back(call_caches_.back().get());
  }
  scope->calls = free_call_caches_.back();
  free_call_caches_.pop_back();
}

void Context::Impl::RemoveScope(Scope::State* scope) {
  std::lock_guard lock(mutex_);
  ended_hits_ += scope->hits.load(std::memory_order_relaxed);
  ended_misses_ += scope->misses.load(std::memory_order_relaxed);
  std::erase(scopes_, scope);
  // The next scope takes the one that was used last.
  free_call_caches_.push_back(scope->calls);
}

CacheStatistics Context::Impl::cache_statistics() const {
  std::lock_guard lock(mutex_);
  CacheStatistics statistics{ended_hits_, ended_misses_, cache.size(), cache.capacity(),
                             cache.num_evictions()};
  for (const Scope::State* scope : scopes_) {
    statistics.hits += scope->hits.load(std::memory_order_relaxed);
    statistics.misses += scope->misses.load(std::memory_order_relaxed);
  }
  return statistics;
}

// --- Context ---

Context::Context(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Context::~Context() = default;

StatusOr<std::unique_ptr<Context>> Context::Create(ContextOptions options) {
  if (options.max_pending < 1 || options.max_pending > INT32_MAX) {
    return InvalidArgumentError(StrCat("a context has 1 to ", INT32_MAX,
                                       " pending ops at most, but max_pending is ",
                                       options.max_pending));
  }
  if (options.host && options.accelerator != AcceleratorOptions()) {
    return InvalidArgumentError(
        "ContextOptions::accelerator is for a host that the context makes; for a given host there "
        "is DeviceManager::SetAcceleratorOptions");
  }
  std::unique_ptr<HostAllocator> own_memory;
  std::unique_ptr<HostContext> own_host;
  if (!options.host) {
    own_memory = CreateMallocAllocator();
    TFRT_ASSIGN_OR_RETURN(own_host, CreateHost(options, own_memory.get()));
    TFRT_RETURN_IF_ERROR(own_host->device_manager().SetAcceleratorOptions(options.accelerator));
    if (options.register_devices) {
      TFRT_RETURN_IF_ERROR(CallGuarded("ContextOptions::register_devices",
                                       [&] { return options.register_devices(*own_host); }));
    }
  }
  TFRT_ASSIGN_OR_RETURN(std::vector<ContextDevice> devices,
                        FindDevices(options.host ? options.host : own_host.get(), options.devices));
  TFRT_ASSIGN_OR_RETURN(std::vector<uint8_t> priority,
                        FindPriority(devices, options.device_priority));
  RCReference<OpLog> log;
  if (options.log) {
    TFRT_ASSIGN_OR_RETURN(log, OpLog::Create(*options.log));
  }
  std::unique_ptr<Context> context(new Context(nullptr));
  context->impl_ = std::make_unique<Impl>(context.get(), std::move(options), std::move(devices),
                                          std::move(priority), std::move(own_memory),
                                          std::move(own_host), std::move(log));
  if (FifoExecutor* fifo = context->impl_->fifo(); fifo && !fifo->Start()) {
    return ResourceExhaustedError(
        "the system has no thread for the ops of a context in FIFO order");
  }
  return context;
}

HostContext* Context::host() const { return impl_->host; }

std::vector<std::string_view> Context::devices() const {
  std::vector<std::string_view> names;
  for (const ContextDevice& device : impl_->devices) names.push_back(device.name());
  return names;
}

Status Context::RegisterOp(CustomOp op) {
  if (FindOp(op.name)) {
    return AlreadyExistsError(StrCat("there is an op '", op.name, "' already"));
  }
  TFRT_RETURN_IF_ERROR(CheckDefaults(op.attrs));
  impl_->own_ops.Add(std::move(op));
  return OkStatus();
}

const OpDefinition* Context::FindOp(std::string_view name) const {
  if (const OpDefinition* op = HostOps().Find(name)) return op;
  return impl_->own_ops.Find(name);
}

Status Context::TakeError() { return impl_->TakeError(); }

void Context::Wait() {
  if (!in_op_function) return impl_->Wait();
  (void)impl_->host->EmitError(
      Location(), FailedPreconditionError("an op function cannot wait for all ops of a context: it "
                                          "may be one of them, or one that they wait for"));
}

size_t Context::queue_depth() const { return impl_->fifo() ? impl_->fifo()->depth() : 0; }

void Context::Cancel() { impl_->Cancel(); }
void Context::Restart() { impl_->Restart(); }

size_t Context::DropCopies() {
  return impl_->core->copies->DropCopies(impl_->core.get(), nullptr, /*available=*/false);
}

StatusOr<DeviceMemoryStatistics> Context::memory_statistics(std::string_view device) const {
  TFRT_ASSIGN_OR_RETURN(Device * found, impl_->GetDevice(device));
  return found->memory_statistics();
}

Status Context::TrimMemory(std::string_view device) {
  TFRT_ASSIGN_OR_RETURN(Device * found, impl_->GetDevice(device));
  return found->TrimMemory();
}

CacheStatistics Context::cache_statistics() const { return impl_->cache_statistics(); }

// --- Tensors ---

void ContextCoreHolder::Drop(ContextCore* core) { DropCore(core); }

// --- Scope ---

Scope::State::State(Context::Impl& context, const ScopeOptions& options)
    : context(context),
      core(context.core.get()),
      thread(&current_scope),
      outer(current_scope),
      mode(options.mode),
      misplaced_input(options.misplaced_input),
      generation(context.generation.load(std::memory_order_relaxed)),
      exec_ctx(context.request()) {
  device_status = context.CheckProcess();
  SetTracer(outer ? outer->tracer : nullptr);
  if (options.device.empty() || !device_status.ok()) return;
  device = context.FindDevice(options.device);
  if (device == kNoDevice) {
    device_status = context.NoDevice(options.device);
    SetTracer(tracer);
  }
}

void Scope::State::SetTracer(Tracer* new_tracer) {
  tracer = new_tracer;
  status = tracer && device_status.ok()
               ? FailedPreconditionError("calls are traced; they do not run")
               : device_status;
  takes_quick_calls = status.ok() && (mode == ExecutionMode::kSync || !context.fifo());
}

Scope::Scope(Context& context, const ScopeOptions& options) {
  static_assert(sizeof(State) <= sizeof(storage_) && alignof(State) <= 64);
  auto* state = new (storage_) State(context.impl(), options);
  state->context.AddScope(state);
  current_scope = state;
}

Scope::~Scope() {
  auto* state = reinterpret_cast<State*>(storage_);
  if (state->thread != &current_scope) [[unlikely]] {
    TFRT_LOG(FATAL) << "a tfrt::eager::Scope ends on another thread than the one where it began";
  }
  if (current_scope != state) [[unlikely]] {
    TFRT_LOG(FATAL) << "a tfrt::eager::Scope ends before one that began after it on its thread";
  }
  current_scope = state->outer;
  state->context.RemoveScope(state);
  state->~State();
}

const Status& Scope::status() const {
  return reinterpret_cast<const State*>(storage_)->device_status;
}

}  // namespace tfrt::eager
