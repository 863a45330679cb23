// Driver: all that the double is, in one object.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_DRIVER_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_DRIVER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "activity.h"
#include "call_log.h"
#include "checker.h"
#include "context.h"
#include "control.h"
#include "graph.h"
#include "handle_table.h"
#include "memory_map.h"
#include "module.h"
#include "pool.h"
#include "scheduler.h"
#include "settings.h"

namespace tfrt::gpu::cuda_double {

// Commands of several streams that run together.
struct Meeting {
  std::set<uint64_t> arrived;  // commands that are the first of their streams
  std::set<uint64_t> present;  // all that were needed have arrived, and these have not run yet
};

// The double's state of a host thread, used by that thread alone.
struct ThreadState {
  uint64_t number = 0;             // no other thread of the process has or had it
  std::vector<Context*> contexts;  // the last is current
  uint32_t correlation = 0;        // the number of its call
  CUstreamCaptureMode capture_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
};

// Guarded by `mutex` but for what is thread-safe by itself.
struct Driver {
  explicit Driver(const Settings& settings);

  const Settings settings;
  std::mutex mutex;
  Faults faults;  // of the settings, or of tfrtDoubleInject
  bool is_initialized = false;
  Checker checker;  // thread-safe
  ActivityLog activities;
  Scheduler scheduler;
  VectorClock host_clock;  // of all host threads: what one has waited for counts for all
  uint64_t num_host_calls = 0;
  uint64_t host_time_ns = 0;                     // virtual
  const tfrtDoubleProfiler* profiler = nullptr;  // may be null
  uint32_t num_told_calls = 0;                   // to a profiler or not
  uint64_t num_commands = 0, num_streams = 0, num_contexts = 0;
  uint64_t num_nodes = 0, num_execs = 0, num_captures = 0;
  std::deque<ThreadState> threads;  // that have ever called; also those that have ended

  std::vector<std::unique_ptr<Device>> devices;
  std::vector<std::shared_ptr<Context>> all_contexts;  // also those that were destroyed
  MemoryMap memory;

  HandleTable<Context, CUcontext> contexts{0x21};
  HandleTable<Stream, CUstream> streams{0x22};
  HandleTable<Event, CUevent> events{0x23};
  HandleTable<Module, CUmodule> modules{0x24};
  HandleTable<Kernel, CUfunction> kernels{0x25};
  HandleTable<Pool, CUmemoryPool> pools{0x26};
  HandleTable<Graph, CUgraph> graphs{0x27};
  HandleTable<Node, CUgraphNode> nodes{0x28};
  HandleTable<GraphExec, CUgraphExec> execs{0x29};
  std::vector<std::shared_ptr<Pool>> retired_pools;  // destroyed; kept for what was taken from them
  std::map<uint64_t, Meeting> meetings;              // by key
  std::set<Capture*> captures;                       // that have not ended
  std::set<const Command*> functions_in_flight;      // of the host, that may use any memory
  // Pinned memory that was freed meanwhile. A program that lacks a wait must find poison there, and
  // not crash before the defect is reported.
  std::vector<std::shared_ptr<Allocation>> kept_for_functions;
  std::set<std::string> notes;  // said once, on standard error

  // Takes memory off the map.
  void Forget(const std::shared_ptr<Allocation>& allocation);
  // Advances the host's clock by one step that is called so.
  Stamp HostStamp(std::string_view name);
  // A new lane of a context, which counts it among its own if `of_stream`.
  std::shared_ptr<Lane> AddLane(Context* context, std::string name, bool of_stream, bool blocking);
  // A command at the end of a lane, behind `waits_for`. Nothing is enqueued yet, so that further
  // edges can be added.
  std::shared_ptr<Command> MakeCommand(Context* context, const std::shared_ptr<Lane>& lane,
                                       std::shared_ptr<const Operation> operation,
                                       std::vector<std::shared_ptr<Command>> waits_for);
  void Enqueue(Scheduler::Lock& lock, const std::shared_ptr<Command>& command) {
    Enqueue(lock, {&command, 1});
  }
  // Those of one call; nothing comes between them.
  void Enqueue(Scheduler::Lock& lock, std::span<const std::shared_ptr<Command>> commands);
  // The host has waited for the command, or found it done.
  void HostHasSeen(const Command& command);
  // Pools give back what they need not keep: all that nobody uses if a device has too little memory
  // for a request.
  void TrimPools(const Device* in_need);
  // Blocks until the command is done. Returns the failure of its context.
  CUresult WaitFor(Scheduler::Lock& lock, const std::shared_ptr<Command>& command,
                   std::string_view what);

 private:
  void InjectFaults(Command& command);
  void CommandFinished(Command& command, CUresult result);
};

// The process's driver and the log of its calls. Made at the first call, never destroyed. Null if
// the settings are wrong, which is said on standard error.
Driver* TheDriver();
CallLog& TheCallLog();
// Returns, in words, the names in the faults that this driver lacks; empty if it lacks none.
std::string CheckFaults(const Faults& faults, int num_devices);

// The calling thread. Needs a driver.
ThreadState& ThisThread();
// Whether the calling thread runs a host function of a stream, which may not call the driver.
bool& RunsHostFunction();

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_DRIVER_H_
