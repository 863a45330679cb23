#include "context.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "errors.h"
#include "gpu.h"
#include "interrupts.h"
#include "lib/api/eager/tracer.h"
#include "lib/devices/sim/device/sim_device.h"
#include "lib/ops/op_call/op_function_scope.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::python {
namespace {

// tfrt.Scope: what `with` enters. Immutable.
struct ScopeEntry {
  ContextRef holder;  // null: the default context
  eager::ExecutionMode mode = eager::ExecutionMode::kSync;
  std::string device;
  eager::MisplacedInputPolicy misplaced_input = eager::MisplacedInputPolicy::kSilent;
  uint64_t id = 0;
};

// A scope that has been entered, and what it was entered in. The value of the context variable.
struct ScopeNode {
  nb::object scope;  // a ScopeEntry
  nb::object outer;  // a ScopeNode, or None
};

// The contexts that live, to be waited for at the end.
struct Registry {
  std::mutex mutex;
  std::map<ContextHolder*, std::weak_ptr<ContextHolder>> holders;  // under mutex
};
Registry* registry = new Registry();

ContextRef* default_context = new ContextRef();  // under the interpreter's lock
// Grows when the default context is another one.
uint64_t default_id = uint64_t{1} << 63;
uint64_t next_entry_id = 1;
PyObject* scope_variable = nullptr;  // a ContextVar

// The thread's scope of the runtime, which is made anew when the code's scope is another one.
struct ThreadScope {
  uint64_t id = 0;  // of the entry, or default_id
  uint32_t fork = 0;
  ContextRef holder;
  std::unique_ptr<eager::Scope> scope;
  CurrentScope current = {};
  int pins = 0;

  void Leave() {
    if (scope && fork != fork_generation()) {
      (void)scope.release();  // its context is the parent's, and is not ended here
    }
    scope.reset();
    holder.reset();
    id = 0;
  }
  ~ThreadScope() { Leave(); }
};
thread_local ThreadScope thread_scope;
thread_local CurrentScope* callback_scope = nullptr;

void Enter(ThreadScope& thread, uint64_t id, const ContextRef& holder,
           const eager::ScopeOptions& options) {
  if (thread.pins > 0) {
    Raise(
        FailedPreconditionError("a traced function runs in the scope of its call, and enters no "
                                "other one; enter it around the call"));
  }
  thread.Leave();
  eager::Context* context = ValueOf(holder->Get());
  thread.scope = std::make_unique<eager::Scope>(*context, options);
  thread.holder = holder;
  thread.fork = fork_generation();
  thread.current = {holder.get(), options.mode,
                    options.mode == eager::ExecutionMode::kSync && !holder->is_fifo()};
  thread.id = id;
}

// The node that the code is in, or None.
nb::object CurrentNode() {
  PyObject* value = nullptr;
  if (PyContextVar_Get(scope_variable, Py_None, &value) < 0) throw nb::python_error();
  return nb::steal(value);
}

// The entry that the code is in; null if it is in none. The node keeps it alive.
ScopeEntry* CurrentEntry() {
  PyObject* value = nullptr;
  if (PyContextVar_Get(scope_variable, Py_None, &value) < 0) throw nb::python_error();
  Py_DECREF(value);  // the variable has it
  if (value == Py_None) return nullptr;
  return nb::inst_ptr<ScopeEntry>(nb::inst_ptr<ScopeNode>(nb::handle(value))->scope);
}

void SetNode(nb::handle node) {
  PyObject* token = PyContextVar_Set(scope_variable, node.ptr());
  if (!token) throw nb::python_error();
  Py_DECREF(token);
}

ContextRef MakeContext(eager::ContextOptions options) {
  const bool is_fifo = options.order == eager::ExecutionOrder::kFifo;
  options.register_devices = [](HostContext& host) {
    OfferGpuDevices(host);
    return sim::RegisterSimDevices(host);
  };
  auto holder =
      std::make_shared<ContextHolder>(ValueOf(eager::Context::Create(std::move(options))), is_fifo);
  std::lock_guard lock(registry->mutex);
  registry->holders.emplace(holder.get(), holder);
  return holder;
}

template <typename Enum, size_t N>
Enum Parse(const char* what, std::string_view text,
           const std::pair<const char*, Enum> (&values)[N]) {
  std::string names;
  for (const auto& [name, value] : values) {
    if (text == name) return value;
    names += StrCat(names.empty() ? "" : ", ", name);
  }
  RaiseValueError("%s is one of %s, not '%s'", what, names.c_str(), std::string(text).c_str());
}

eager::ExecutionMode ParseMode(const std::string& text) {
  return Parse<eager::ExecutionMode>(
      "mode", text,
      {{"sync", eager::ExecutionMode::kSync}, {"async", eager::ExecutionMode::kAsync}});
}

eager::MisplacedInputPolicy ParsePolicy(const std::string& text) {
  using Policy = eager::MisplacedInputPolicy;
  return Parse<Policy>("misplaced_input", text,
                       {{"silent", Policy::kSilent},
                        {"warn", Policy::kWarn},
                        {"explicit", Policy::kExplicit},
                        {"silent_for_i32", Policy::kSilentForI32}});
}

eager::ExecutionOrder ParseOrder(const std::string& text) {
  return Parse<eager::ExecutionOrder>(
      "order", text,
      {{"dataflow", eager::ExecutionOrder::kDataflow}, {"fifo", eager::ExecutionOrder::kFifo}});
}

}  // namespace

ContextHolder::~ContextHolder() {
  {
    std::lock_guard lock(registry->mutex);
    registry->holders.erase(this);
  }
  if (!is_of_this_process()) {
    (void)context_.release();  // its threads are the parent's
  } else if (!IsEnding() && PyGILState_Check()) {
    GilRelease release;  // its ops may need the lock
    context_.reset();
  } else {
    context_.reset();
  }
}

Status ContextHolder::Check() const {
  if (!is_of_this_process()) {
    return FailedPreconditionError(
        "the context belongs to the process that this one was forked from, whose threads are not "
        "here; "
        "make a new tfrt.Context, or start processes with multiprocessing's 'spawn'");
  }
  if (is_closed()) return FailedPreconditionError("the context has been closed");
  return OkStatus();
}

StatusOr<eager::Context*> ContextHolder::Get() const {
  TFRT_RETURN_IF_ERROR(Check());
  return context_.get();
}

void ContextHolder::Close() {
  if (!is_of_this_process() || closed_.exchange(true)) return;
  {
    GilRelease release;
    context_->Wait();
  }
  RaiseIfError(context_->TakeError());
}

void ContextHolder::Cancel() {
  eager::Context* context = ValueOf(Get());
  is_cancelled_ = true;
  context->Cancel();
}

void ContextHolder::Restart() {
  eager::Context* context = ValueOf(Get());
  is_cancelled_ = false;
  context->Restart();
}

void ContextHolder::Interrupt() {
  if (!is_of_this_process() || is_cancelled_) return;
  is_interrupted_ = true;
  context_->Cancel();
}

void ContextHolder::EndInterrupt() {
  if (is_interrupted_.exchange(false) && !is_cancelled_) context_->Restart();
}

namespace {

std::vector<ContextRef> AllContexts() {
  std::vector<ContextRef> contexts;
  std::lock_guard lock(registry->mutex);
  for (auto& [holder, reference] : registry->holders) {
    if (ContextRef context = reference.lock()) contexts.push_back(std::move(context));
  }
  return contexts;
}

}  // namespace

const CurrentScope& EnterScope() {
  if (callback_scope) return *callback_scope;
  ThreadScope& thread = thread_scope;
  ScopeEntry* entry = CurrentEntry();
  const uint64_t id = entry ? entry->id : default_id;
  if (thread.id == id && thread.fork == fork_generation() && !thread.holder->is_closed())
      [[likely]] {
    return thread.current;
  }
  eager::ScopeOptions options;
  if (entry) options = {entry->mode, entry->device, entry->misplaced_input};
  const ContextRef holder = entry && entry->holder ? entry->holder : DefaultContext();
  Enter(thread, entry ? id : default_id, holder, options);  // which may be another one now
  return thread.current;
}

ContextRef CurrentContext() {
  if (callback_scope) {
    // The runtime's own threads have entered no scope of Python's.
    eager::Context* context = eager::CurrentScopeView().context;
    for (ContextRef& found : AllContexts()) {
      if (found->context() == context) return found;
    }
  }
  ScopeEntry* entry = CurrentEntry();
  return entry && entry->holder ? entry->holder : DefaultContext();
}

void RaiseIfEarlierCallFailed(const CurrentScope& scope) {
  if (scope.mode == eager::ExecutionMode::kSync) [[likely]]
    return;
  RaiseIfError(ValueOf(scope.holder->Get())->TakeError());
}

ContextRef DefaultContext() {
  ContextRef& context = *default_context;
  if (!context || !context->is_of_this_process() || context->is_closed()) {
    context = MakeContext({});
    ++default_id;
  }
  return context;
}

PinnedScope::PinnedScope() { ++thread_scope.pins; }
PinnedScope::~PinnedScope() { --thread_scope.pins; }

CallbackScope::CallbackScope(eager::Context& context) : scope_(context), outer_(callback_scope) {
  static thread_local CurrentScope current;
  current = {nullptr, eager::ExecutionMode::kSync, false};
  callback_scope = &current;
}

CallbackScope::~CallbackScope() { callback_scope = static_cast<CurrentScope*>(outer_); }

void CancelContexts() {
  for (const ContextRef& context : AllContexts()) context->Interrupt();
}

void RestartContexts() {
  for (const ContextRef& context : AllContexts()) context->EndInterrupt();
}

void EndContexts() {
  const std::vector<ContextRef> contexts = AllContexts();
  {
    LongCall waits;  // ops may need the lock
    for (const ContextRef& context : contexts) {
      if (context->context()) context->context()->Wait();
    }
  }
  for (const ContextRef& context : contexts) {
    if (!context->context()) continue;
    const Status error = context->context()->TakeError();
    if (error.ok()) continue;
    SetError(error);
    PyErr_WriteUnraisable(nullptr);
  }
  SetNode(nb::none());
  thread_scope.Leave();
  default_context->reset();
}

void ForgetContexts() {
  registry = new Registry();
  default_context = new ContextRef();
  ++default_id;
}

namespace {

void MakeScope(ScopeEntry* self, nb::object context, const std::string& mode,
               const std::string& device, const std::string& misplaced_input) {
  ScopeEntry entry;
  if (!context.is_none()) {
    if (!nb::isinstance<PyContext>(context)) {
      RaiseTypeError("context is a tfrt.Context, not %s", Py_TYPE(context.ptr())->tp_name);
    }
    entry.holder = nb::inst_ptr<PyContext>(context)->holder;
  }
  entry.mode = ParseMode(mode);
  entry.device = device;
  entry.misplaced_input = ParsePolicy(misplaced_input);
  entry.id = next_entry_id++;
  eager::Context* known = ValueOf((entry.holder ? entry.holder : DefaultContext())->Get());
  auto devices = known->devices();
  if (!device.empty() && std::ranges::find(devices, device) == devices.end()) {
    eager::Scope scope(*known, {.device = device});
    Raise(scope.status());  // in the words of the runtime
  }
  new (self) ScopeEntry(std::move(entry));
}

nb::object EnterNode(nb::object scope) {
  const ScopeEntry& entry = *nb::inst_ptr<ScopeEntry>(scope);
  if (entry.holder) RaiseIfError(entry.holder->Check());
  SetNode(nb::cast(ScopeNode{scope, CurrentNode()}));
  return scope;
}

void LeaveNode(const nb::object& scope) {
  nb::object node = CurrentNode();
  if (node.is_none() || !nb::inst_ptr<ScopeNode>(node)->scope.is(scope)) {
    Raise(
        FailedPreconditionError("scopes end in the reverse order in which they began, in the "
                                "thread or task where they began"));
  }
  SetNode(nb::inst_ptr<ScopeNode>(node)->outer);
}

// `raised`: the type, object and traceback of an exception that ends the block, or None.
void ExitNode(const nb::object& scope, const nb::args& raised) {
  LeaveNode(scope);
  const ScopeEntry& entry = *nb::inst_ptr<ScopeEntry>(scope);
  if (entry.mode == eager::ExecutionMode::kSync) return;
  if (!raised.empty() && !raised[0].is_none()) return;
  eager::Context* context = (entry.holder ? entry.holder : DefaultContext())->context();
  if (context) RaiseIfError(context->TakeError());
}

void MakePyContext(PyContext* self, std::vector<std::string> devices, const std::string& order,
                   std::vector<std::string> device_priority, bool soft_placement,
                   int64_t max_small_integers, size_t kernel_cache_capacity, bool remember_copies,
                   uint32_t max_pending, std::string work_queue, std::optional<std::string> log,
                   size_t memory_limit_bytes, size_t pinned_limit_bytes, bool launch_blocking,
                   bool single_stream, bool allow_tf32, std::string plan_folder,
                   uint32_t max_in_flight, size_t max_in_flight_bytes) {
  eager::ContextOptions options;
  options.devices = std::move(devices);
  options.order = ParseOrder(order);
  options.device_priority = std::move(device_priority);
  options.soft_placement = soft_placement;
  options.max_small_integers = max_small_integers;
  options.kernel_cache_capacity = kernel_cache_capacity;
  options.remember_copies = remember_copies;
  options.max_pending = max_pending;
  options.work_queue = std::move(work_queue);
  options.accelerator = {.memory_limit_bytes = memory_limit_bytes,
                         .pinned_limit_bytes = pinned_limit_bytes,
                         .launch_blocking = launch_blocking,
                         .single_stream = single_stream,
                         .allow_tf32 = allow_tf32,
                         .plan_folder = std::move(plan_folder),
                         .max_in_flight = max_in_flight,
                         .max_in_flight_bytes = max_in_flight_bytes};
  if (log) options.log = eager::LogOptions{.log_results = true, .metadata_prefix = *log};
  new (self) PyContext{MakeContext(std::move(options))};
}

nb::dict Statistics(const PyContext& self) {
  eager::CacheStatistics cache = ValueOf(self.holder->Get())->cache_statistics();
  nb::dict result;
  result["hits"] = cache.hits;
  result["misses"] = cache.misses;
  result["entries"] = cache.entries;
  result["capacity"] = cache.capacity;
  result["evictions"] = cache.evictions;
  return result;
}

nb::dict MemoryStatisticsOf(const PyContext& self, const std::string& device) {
  const DeviceMemoryStatistics memory =
      ValueOf(ValueOf(self.holder->Get())->memory_statistics(device));
  nb::dict result;
  result["bytes_in_use"] = memory.bytes_in_use;
  result["peak_bytes_in_use"] = memory.peak_bytes_in_use;
  result["bytes_cached"] = memory.bytes_cached;
  result["peak_bytes_reserved"] = memory.peak_bytes_reserved;
  result["limit_bytes"] = memory.limit_bytes;
  result["pinned_bytes"] = memory.pinned_bytes;
  return result;
}

std::vector<std::string> DevicesOf(const PyContext& self) {
  std::vector<std::string> names;
  for (std::string_view name : ValueOf(self.holder->Get())->devices()) names.emplace_back(name);
  return names;
}

void BindContextClass(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<PyContext>(
      module, "Context",
      "Devices, a work queue and a cache of prepared calls.\n\nOps run in the default "
      "context, which is made at first use, unless a scope of another one is entered: by "
      "``with context:`` or ``with context.scope(...):``.")
      .def(
          "__init__", &MakePyContext, nb::kw_only(),
          "devices"_a = std::vector<std::string>{"cpu:0"}, "order"_a = "dataflow",
          "device_priority"_a = std::vector<std::string>{}, "soft_placement"_a = true,
          "max_small_integers"_a = 64, "kernel_cache_capacity"_a = 4096, "remember_copies"_a = true,
          "max_pending"_a = 65536, "work_queue"_a = "mstd", "log"_a = nb::none(),
          "memory_limit_bytes"_a = 0, "pinned_limit_bytes"_a = 0, "launch_blocking"_a = false,
          "single_stream"_a = false, "allow_tf32"_a = false, "plan_folder"_a = "",
          "max_in_flight"_a = AcceleratorOptions{}.max_in_flight,
          "max_in_flight_bytes"_a = AcceleratorOptions{}.max_in_flight_bytes,
          "devices are CPUs (cpu:0, the host, cpu:1, ...), GPUs (gpu:0, ..., gpu:* for all) and "
          "simulated accelerators (sim:0, ...); order is dataflow or fifo; log is the beginning of "
          "the name of a file, or \"\" for standard error. If a device does not have an op, "
          "soft_placement lets it run on another one; otherwise it is an error.\n\n"
          "For accelerators: memory_limit_bytes is the most memory that each takes, "
          "pinned_limit_bytes the most page-locked memory of the host, 0 is no limit. "
          "launch_blocking waits for each command, so that the op that fails on the device is the "
          "one that raises. single_stream copies in the stream of the ops. allow_tf32 lets "
          "products "
          "and convolutions of float32 round their factors to TF32. plan_folder keeps the plans of "
          "libraries for later processes. max_in_flight copies from the host, and "
          "max_in_flight_bytes of these, may wait for a device before a call waits for them.")
      .def(
          "__eq__",
          [](const PyContext& self, nb::handle other) {
            return nb::isinstance<PyContext>(other) &&
                   nb::cast<const PyContext&>(other).holder == self.holder;
          },
          nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const PyContext& self) { return std::hash<ContextRef>()(self.holder); })
      .def_prop_ro("devices", &DevicesOf, "The names of the devices, the host first.")
      .def_prop_ro("is_closed", [](const PyContext& self) { return self.holder->is_closed(); })
      .def_prop_ro(
          "queue_depth",
          [](const PyContext& self) { return ValueOf(self.holder->Get())->queue_depth(); },
          "Ops that are scheduled in FIFO order and have not begun.")
      .def("cache_statistics", &Statistics)
      .def("memory_statistics", &MemoryStatisticsOf, "device"_a,
           "The memory of an accelerator, of all its users: bytes in use and cached, their peaks, "
           "the limit, and page-locked memory of the host.")
      .def(
          "trim_memory",
          [](const PyContext& self, const std::string& device) {
            ContextRef holder = self.holder;
            eager::Context* context = ValueOf(holder->Get());
            RaiseIfError(Unlocked([&] { return context->TrimMemory(device); }));
          },
          "device"_a,
          "Waits for a device, and returns memory that it has cached to its driver, for other "
          "libraries.")
      .def(
          "wait",
          [](const PyContext& self) {
            ContextRef holder = self.holder;
            eager::Context* context = ValueOf(holder->Get());
            {
              LongCall waits;
              context->Wait();
            }
            RaiseIfInterrupted();
            RaiseIfError(context->TakeError());
          },
          "Returns when all ops called so far are over. Raises the first error of a call without "
          "results that has not been raised yet.")
      .def(
          "cancel", [](const PyContext& self) { self.holder->Cancel(); },
          "Ops that have not begun become errors, and so do those called until `restart`.")
      .def("restart", [](const PyContext& self) { self.holder->Restart(); })
      .def(
          "drop_copies",
          [](const PyContext& self) { return ValueOf(self.holder->Get())->DropCopies(); },
          "Drops the copies on other devices that tensors remember; returns their number.")
      .def("__enter__",
           [](nb::object self) {
             nb::object scope = nb::type<ScopeEntry>()(nb::arg("context") = self);
             EnterNode(scope);
             return self;
           })
      .def("__exit__",
           [](const PyContext& self, nb::args) {
             nb::object node = CurrentNode();
             nb::object scope = node.is_none() ? node : nb::inst_ptr<ScopeNode>(node)->scope;
             const bool is_own =
                 !scope.is_none() && nb::inst_ptr<ScopeEntry>(scope)->holder == self.holder;
             LeaveNode(is_own ? scope : nb::none());
           })
      .def(
          "close", [](const PyContext& self) { self.holder->Close(); },
          "Waits for what has begun, and raises as `wait` does; calls from now on are errors. "
          "Tensors keep their elements.");
  nb::class_<ScopeEntry>(
      module, "Scope",
      "How ops are called by the code under ``with``: in which context, on which device, "
      "and whether calls wait for their ops (mode sync) or not (async).")
      .def("__init__", &MakeScope, nb::kw_only(), "context"_a = nb::none(), "mode"_a = "sync",
           "device"_a = "", "misplaced_input"_a = "silent",
           "misplaced_input, for an input on another device than the op: silent, warn, explicit "
           "(an error) "
           "or silent_for_i32.")
      .def("__enter__", [](nb::object self) { return EnterNode(std::move(self)); })
      .def("__exit__",
           [](const nb::object& self, const nb::args& raised) { ExitNode(self, raised); });
  nb::class_<ScopeNode>(module, "_ScopeNode");
}

}  // namespace

void BindContext(nb::module_& module) {
  scope_variable = PyContextVar_New("tfrt_scope", nullptr);
  if (!scope_variable) throw nb::python_error();
  BindContextClass(module);
  module.def(
      "default_context", [] { return PyContext{DefaultContext()}; },
      "The context of code that has entered no scope of another one.");
  module.def(
      "set_default_context",
      [](const PyContext& context) {
        RaiseIfError(context.holder->Check());
        *default_context = context.holder;
        ++default_id;
      },
      nb::arg("context"));
  module.def("current_context", [] { return PyContext{CurrentContext()}; });
}

}  // namespace tfrt::python
