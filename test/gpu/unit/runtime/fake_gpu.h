// FakeGpu: a driver in a few hundred lines, for tests of the runtime that need to see and steer
// each of its calls: streams that run when they are told to, on memory of the host.
#ifndef TFRT_TEST_GPU_UNIT_RUNTIME_FAKE_GPU_H_
#define TFRT_TEST_GPU_UNIT_RUNTIME_FAKE_GPU_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "gpu/abi/cuda_driver_table.h"

namespace tfrt::gpu {

// The driver of the process while it lives. Thread-safe; one lock for everything. What it is not
// told to do in the right order it does not refuse: it counts, and tests look.
class FakeGpu {
 public:
  // When commands run.
  enum class Mode {
    kAtCall,     // at once
    kWhenAsked,  // when the host waits or asks for them, all that precedes them first
    kReleased,   // when the test says so; who waits for them sleeps
  };
  struct Kernel {
    std::vector<uint32_t> parameter_sizes;
    // Runs with the addresses of the parameters' copies.
    std::function<void(const std::vector<const std::byte*>& parameters)> run;
    int max_threads = 1024;
    int shared_bytes = 0;
  };

  explicit FakeGpu(Mode mode = Mode::kWhenAsked);
  // Fails the test if something of the driver is left.
  ~FakeGpu();
  FakeGpu(const FakeGpu&) = delete;
  FakeGpu& operator=(const FakeGpu&) = delete;

  const cuda::DriverTable& table() const { return table_; }
  cuda::DriverTable& mutable_table() { return table_; }

  // --- What the test decides ---

  void set_mode(Mode mode);
  // kReleased: lets `count` more commands of each stream run, as far as their waits allow.
  void Release(size_t count = SIZE_MAX);
  // kReleased: the same for one stream.
  void Release(cuda::CUstream stream, size_t count);
  // Of modules that are loaded later, by name.
  void AddKernel(std::string name, Kernel kernel);
  // The `nth` next call of the function fails, once.
  void Fail(const std::string& function, cuda::CUresult result, uint64_t nth = 1);
  // The next command that runs ruins the context: from then on all calls answer so.
  void BreakNextCommand(cuda::CUresult result);
  void set_memory_bytes(size_t bytes) { memory_bytes_ = bytes; }
  // What compiling a module writes when loading it fails.
  void set_jit_log(std::string log) { jit_log_ = std::move(log); }

  // --- What it saw ---

  // Calls of a function since the last ForgetCalls; of all if `function` is empty.
  uint64_t NumCalls(const std::string& function = {}) const;
  std::map<std::string, uint64_t> Calls() const;
  void ForgetCalls();
  // What was the thread's context at the last call of a function; null if there was no call.
  cuda::CUcontext ContextAt(const std::string& function) const;
  // "launch relu", "copy", "wait 1:3", "record", ... as the stream got them.
  std::vector<std::string> CommandsOf(cuda::CUstream stream) const;
  // Whether all that `stream` was given runs before what `other` gets next, by waits of the device.
  bool IsOrdered(cuda::CUstream stream, cuda::CUstream other) const;
  size_t bytes_allocated() const { return bytes_allocated_; }
  // Contexts that were current on a thread when a command came, other than the stream's.
  uint64_t num_wrong_contexts() const { return num_wrong_contexts_; }

 private:
  struct Stream;
  struct Event;
  struct Command {
    std::string text;
    std::function<void()> run;  // may be empty
    Stream* wait_stream = nullptr;
    size_t wait_position = 0;
  };
  struct Stream {
    cuda::CUcontext context;
    std::vector<Command> commands;
    size_t done = 0;      // how many have run
    size_t released = 0;  // kReleased: how many may
    std::map<const Stream*, size_t> seen;
  };
  struct Event {
    Stream* stream = nullptr;
    size_t position = 0;
    std::map<const Stream*, size_t> seen;
  };

  struct Functions;  // of the table

  // Under mutex_.
  cuda::CUresult Enter(const char* function);
  cuda::CUresult Enqueue(cuda::CUstream stream, std::string text, std::function<void()> run);
  // Runs what precedes; false if it must wait.
  bool RunUntil(Stream* stream, size_t position, bool is_asked);
  void RunReleased();
  cuda::CUresult Await(std::unique_lock<std::mutex>& lock, Stream* stream, size_t position);

  cuda::DriverTable table_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Mode mode_;
  std::map<std::string, uint64_t> calls_;
  std::map<std::string, cuda::CUcontext> contexts_at_;
  struct Failure {
    cuda::CUresult result;
    uint64_t nth;
  };
  std::map<std::string, Failure> failures_;
  cuda::CUresult broken_ = cuda::CUDA_SUCCESS, break_next_ = cuda::CUDA_SUCCESS;
  std::map<std::string, Kernel> kernels_;
  std::string jit_log_;
  size_t memory_bytes_ = size_t{1} << 30, bytes_allocated_ = 0;
  uint64_t num_wrong_contexts_ = 0;
  uintptr_t next_context_ = 1;
  int primary_references_ = 0;
  std::set<cuda::CUcontext> contexts_;
  std::set<Stream*> streams_;
  std::set<Event*> events_;
  std::map<void*, size_t> memory_, host_memory_;
  std::set<void*> registered_;
  std::set<std::string*> modules_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_UNIT_RUNTIME_FAKE_GPU_H_
