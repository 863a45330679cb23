// Operation, Command, Lane: what a device does, one time that it does so, and the queue it waits
// in.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_COMMAND_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_COMMAND_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "abi.h"
#include "checker.h"

namespace tfrt::gpu::cuda_double {

struct Command;
struct Context;

// Work for a device: a kernel with its parameters, a copy, ... Immutable, so that the node of a
// graph can be run again and again; what belongs to one run is in the Command.
class Operation {
 public:
  virtual ~Operation() = default;

  virtual CUgraphNodeType type() const = 0;
  // In reports and logs: a kernel's name, or the function that enqueued it.
  virtual std::string_view name() const = 0;
  // For the virtual clock: how long it takes.
  virtual uint64_t nanoseconds() const { return 100; }

  // It was enqueued. The driver's lock is held.
  virtual void Begin(Command&) const {}
  // Whether it can run, now that all before it is done. The driver's lock is held.
  virtual bool IsReady(const Command&) const { return true; }
  // The error of memory that cannot be used any more. The driver's lock is held.
  virtual CUresult CheckMemory(const Command&) const { return cuda::CUDA_SUCCESS; }
  // Does the work, without the driver's lock. Anything but success is a fault of the context.
  virtual CUresult Execute(Command& command) const = 0;
  // It has run, or never will, as its context has failed. The driver's lock is held.
  virtual void End(Command&) const {}
};

// Commands of one lane run one after the other, in the order in which they were enqueued. A stream
// has a lane, and a graph that was launched has one for each branch. Guarded by the driver's lock.
struct Lane {
  std::string name;  // "stream 3"
  uint32_t timeline = 0;
  bool blocking = false;      // ordered with the legacy default stream
  bool is_abandoned = false;  // its stream was destroyed
  VectorClock clock;          // of the last command enqueued, and of what it waits for
  uint64_t num_commands = 0;
  std::deque<std::shared_ptr<Command>> pending;
  bool is_running = false;        // the first of pending
  std::shared_ptr<Command> last;  // enqueued last; may be done
  uint64_t time_ns = 0;           // virtual time at which its last command ended
};

// Guarded by the driver's lock, but for what Execute reads.
struct Command {
  std::shared_ptr<const Operation> operation;  // null when done
  std::shared_ptr<Lane> lane;                  // as well
  Context* context = nullptr;
  Stamp stamp;
  uint64_t id = 0;                                  // n-th of the process, from 1
  uint32_t correlation = 0;                         // the number of the call that enqueued it
  uint64_t nth = 0;                                 // of its lane, from 1
  std::vector<std::shared_ptr<Command>> waits_for;  // of other lanes; emptied when done
  CUresult injected = CUDA_SUCCESS;                 // the fault that a setting asks for
  enum class Loses : uint8_t { kContext, kDevice, kProcess };
  Loses loses = Loses::kProcess;  // if it faults
  bool done = false;
  uint64_t enqueued_ns = 0, start_ns = 0, end_ns = 0;  // virtual time
  uint64_t graph_node_id = 0;                          // 0: not of a graph
  // A source in memory that the host can write while the copy is in flight: its bytes at the call.
  bool has_source_hash = false;
  uint64_t source_hash = 0;
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_COMMAND_H_
