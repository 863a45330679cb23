#include "driver.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "reports.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda_double {
namespace {

const char* ModeName(Mode mode) {
  constexpr const char* kNames[] = {"lazy", "threads", "inline", "null"};
  return kNames[static_cast<int>(mode)];
}

Driver* MakeDriver() {
  const char* text = std::getenv("TFRT_GPU_DOUBLE");
  Settings settings;
  std::string wrong = ParseSettings(text ? text : "", &settings);
  if (wrong.empty()) wrong = CheckFaults(settings.faults, settings.num_devices);
  if (wrong.empty() && !settings.log_path.empty() && !TheCallLog().Open(settings.log_path)) {
    wrong = StrCat("cannot write the log to '", settings.log_path, "'");
  }
  if (!wrong.empty()) {
    std::fprintf(stderr, "tfrt test double: TFRT_GPU_DOUBLE: %s\n", wrong.c_str());
    return nullptr;
  }
  std::fprintf(stderr,
               "tfrt test double: this is no GPU driver: %d devices on host memory, mode %s, "
               "seed %llu\n",
               settings.num_devices, ModeName(settings.mode),
               static_cast<unsigned long long>(settings.seed));
  TheReports();  // whose check at exit must come first
  return new Driver(settings);
}

}  // namespace

Device::Device(int ordinal, uint64_t memory_bytes)
    : ordinal(ordinal),
      memory_bytes(memory_bytes),
      addresses(std::max<uint64_t>(8 * memory_bytes, uint64_t{1} << 30)) {}

Driver::Driver(const Settings& s)
    : settings(s),
      faults(s.faults),
      scheduler(s, &mutex,
                [this](Command& command, CUresult result) { CommandFinished(command, result); }) {
  for (int i = 0; i < settings.num_devices; ++i) {
    devices.push_back(std::make_unique<Device>(i, settings.memory_bytes));
    auto pool = std::make_shared<Pool>();
    pool->device = devices.back().get();
    pool->is_default = true;
    pool->handle = devices.back()->default_pool = pools.Add(pool);
  }
}

void Driver::Forget(const std::shared_ptr<Allocation>& allocation) {
  memory.Remove(allocation->begin);
  if (allocation->kind == MemoryKind::kPinned && !functions_in_flight.empty()) {
    kept_for_functions.push_back(allocation);
  }
}

Stamp Driver::HostStamp(std::string_view name) {
  Stamp stamp;
  stamp.timeline = Checker::kHostTimeline;
  stamp.step = host_clock.Advance(Checker::kHostTimeline);
  stamp.operation = checker.AddOperation(name, Checker::kHostTimeline, ++num_host_calls);
  stamp.clock = host_clock;
  return stamp;
}

std::shared_ptr<Lane> Driver::AddLane(Context* context, std::string name, bool of_stream,
                                      bool blocking) {
  auto lane = std::make_shared<Lane>();
  lane->timeline = checker.AddTimeline(name);
  lane->name = std::move(name);
  lane->blocking = blocking;
  if (of_stream) {
    // Commands whose end the host has not seen yet are still awaited: by cuCtxSynchronize, and by
    // the default stream.
    std::erase_if(context->lanes, [this](const std::shared_ptr<Lane>& other) {
      return other->is_abandoned &&
             host_clock.Of(other->timeline) >= other->clock.Of(other->timeline);
    });
    context->lanes.push_back(lane);
  }
  return lane;
}

std::shared_ptr<Command> Driver::MakeCommand(Context* context, const std::shared_ptr<Lane>& lane,
                                             std::shared_ptr<const Operation> operation,
                                             std::vector<std::shared_ptr<Command>> waits_for) {
  auto command = std::make_shared<Command>();
  command->context = context;
  command->lane = lane;
  command->id = ++num_commands;
  command->nth = ++lane->num_commands;
  lane->clock.Join(host_clock);
  for (const auto& other : waits_for) lane->clock.Join(other->stamp.clock);
  std::erase_if(waits_for, [](const auto& other) { return other->done; });
  command->waits_for = std::move(waits_for);
  command->stamp.timeline = lane->timeline;
  command->stamp.step = lane->clock.Advance(lane->timeline);
  command->stamp.operation = checker.AddOperation(operation->name(), lane->timeline, command->nth);
  command->stamp.clock = lane->clock;
  command->enqueued_ns = host_time_ns;
  command->correlation = ThisThread().correlation;
  command->operation = std::move(operation);
  InjectFaults(*command);
  return command;
}

void Driver::InjectFaults(Command& command) {
  // Functions of other libraries are commands with the names of their calls.
  const CUgraphNodeType type = command.operation->type();
  if (type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_HOST) {
    for (Fault& fault : faults.kernels) {
      if (fault.name == command.operation->name() && fault.Strikes()) {
        command.injected = static_cast<CUresult>(fault.code);
        if (fault.of_context) command.loses = Command::Loses::kContext;
      }
    }
  }
  for (Fault& fault : faults.devices) {
    if (std::atoi(fault.name.c_str()) == command.context->device->ordinal && fault.Strikes()) {
      command.injected = static_cast<CUresult>(fault.code);
      command.loses = Command::Loses::kDevice;
    }
  }
}

void Driver::Enqueue(Scheduler::Lock& lock, std::span<const std::shared_ptr<Command>> commands) {
  for (const auto& command : commands) command->operation->Begin(*command);
  scheduler.Enqueue(lock, commands);
}

void Driver::HostHasSeen(const Command& command) {
  host_clock.Join(command.stamp.clock);
  host_time_ns = std::max(host_time_ns, command.end_ns);
  // Pools keep no more than they are told to once the host knows that blocks are free.
  TrimPools(nullptr);
}

void Driver::TrimPools(const Device* in_need) {
  auto trim = [&](const std::shared_ptr<Pool>& pool) {
    if (in_need && pool->device != in_need) return;
    TrimPool(*pool, in_need || pool->is_destroyed ? 0 : pool->release_threshold);
  };
  pools.ForEach(trim);
  for (const auto& pool : retired_pools) trim(pool);
}

CUresult Driver::WaitFor(Scheduler::Lock& lock, const std::shared_ptr<Command>& command,
                         std::string_view what) {
  scheduler.Wait(lock, command, what);
  HostHasSeen(*command);
  return command->context->failure();
}

void Driver::CommandFinished(Command& command, CUresult result) {
  Context& context = *command.context;
  if (result != CUDA_SUCCESS && context.failure() == CUDA_SUCCESS) {
    context.sticky = result;
    for (const auto& device : devices) {
      if (command.loses == Command::Loses::kProcess ||
          (command.loses == Command::Loses::kDevice && device.get() == context.device)) {
        device->lost = result;
      }
    }
  }
  if (result == CUDA_SUCCESS && context.failure() == CUDA_SUCCESS && activities.is_enabled()) {
    activities.Add(command);
  }
}

std::string CheckFaults(const Faults& faults, int num_devices) {
  for (const Fault& fault : faults.calls) {
    // Functions of other libraries are known to those alone.
    if (fault.name.starts_with("cublas") || fault.name.starts_with("cudnn")) continue;
    if (FindFunction(fault.name) == Function::kCount) {
      return StrCat("setting 'fail' names the unknown function '", fault.name, "'");
    }
  }
  for (const Fault& fault : faults.devices) {
    if (std::atoi(fault.name.c_str()) >= num_devices) {
      return StrCat("setting 'lost' names device ", fault.name, " of ", num_devices);
    }
  }
  return "";
}

CallLog& TheCallLog() {
  static CallLog* log = new CallLog;
  return *log;
}

Driver* TheDriver() {
  static Driver* driver = MakeDriver();
  return driver;
}

ThreadState& ThisThread() {
  // The state stays when the thread ends: destructors of static objects, which run behind those of
  // the thread's, may call the driver.
  struct Count {
    Count() { TheDriver()->scheduler.AddHostThread(); }
    ~Count() {
      std::lock_guard lock(TheDriver()->mutex);
      TheDriver()->scheduler.RemoveHostThread();
    }
  };
  static thread_local ThreadState* state = nullptr;
  if (!state) {
    Driver& driver = *TheDriver();
    std::lock_guard lock(driver.mutex);
    static thread_local Count count;
    state = &driver.threads.emplace_back();
    state->number = driver.threads.size();
  }
  return *state;
}

bool& RunsHostFunction() {
  static thread_local bool runs = false;
  return runs;
}

}  // namespace tfrt::gpu::cuda_double
