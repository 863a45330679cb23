// Device, Context, Stream, Event: what programs hold handles of. All are guarded by the driver's
// lock.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_CONTEXT_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_CONTEXT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "abi.h"
#include "address_space.h"
#include "command.h"

namespace tfrt::gpu::cuda_double {

struct Capture;
struct Node;
struct Pool;

struct Device {
  Device(int ordinal, uint64_t memory_bytes);

  const int ordinal;
  const uint64_t memory_bytes;  // the limit
  uint64_t used_bytes = 0;
  AddressSpace addresses;
  CUresult lost = CUDA_SUCCESS;       // what every context of a lost device answers
  struct Context* primary = nullptr;  // null: not active
  int num_primary_users = 0;
  unsigned primary_flags = 0;
  CUmemoryPool default_pool = nullptr;
};

// The priorities of streams.
constexpr int kLeastPriority = 0, kGreatestPriority = -5;

struct Stream {
  uint64_t id = 0;  // n-th of the process, as in its name
  Context* context = nullptr;
  std::shared_ptr<Lane> lane;
  unsigned flags = 0;
  int priority = 0;
  bool is_legacy = false;
  // While it is captured.
  std::shared_ptr<Capture> capture;
  std::vector<Node*> capture_front;  // the nodes behind which the next one comes
};

struct Event {
  Context* context = nullptr;
  unsigned flags = 0;
  std::shared_ptr<Command> record;  // the last; null if there is none
  // A record in a stream that was being captured stands for these nodes.
  std::shared_ptr<Capture> capture;
  std::vector<Node*> captured_nodes;
};

// Never freed, so that what outlives it by mistake can be told.
struct Context {
  CUresult failure() const { return sticky != CUDA_SUCCESS ? sticky : device->lost; }

  uint64_t id = 0;
  CUcontext handle = nullptr;
  Device* device = nullptr;
  unsigned flags = 0;
  bool is_primary = false;
  bool is_destroyed = false;
  CUresult sticky = CUDA_SUCCESS;  // the first fault, which every later call answers
  std::shared_ptr<Stream> legacy;
  std::map<uint64_t, std::shared_ptr<Stream>> per_thread;  // by the thread's number
  std::vector<std::shared_ptr<Lane>> lanes;                // of its streams
  std::set<CUstream> streams;
  std::set<CUevent> events;
  std::set<CUmodule> modules;
  std::set<Context*> peers;  // whose memory its kernels may use
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_CONTEXT_H_
