// Checker: finds uses of memory that nothing orders, whatever happened to run first.
//
// The order checker of the test libraries (test/support/order_checker) checks at the call, as its
// devices know then which bytes an operation uses. The bytes of a kernel are known only when it has
// run. Here each command therefore carries the clock that it had when it was enqueued, and its
// bytes are compared when it runs. Commands run in an order that their clocks allow. The second
// command of an unordered pair to run therefore finds the pair. Shadow memory and clocks are those
// of the order checker.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_CHECKER_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_CHECKER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "allocation.h"
#include "test/support/order_checker/shadow_memory.h"
#include "test/support/order_checker/vector_clock.h"

namespace tfrt::gpu::cuda_double {

// Where a command, or a call of the host, stands in the order of all.
struct Stamp {
  uint32_t timeline = 0;
  uint64_t step = 0;
  uint64_t operation = 0;  // a number from AddOperation
  VectorClock clock;
};

struct MemoryUse {
  uint64_t begin = 0, end = 0;
  MarkKind kind = MarkKind::kRead;
};

// Thread-safe. Findings go to TheReports().
class Checker {
 public:
  static constexpr uint32_t kHostTimeline = 0;

  Checker();

  uint32_t AddTimeline(std::string name);
  // The n-th operation of a timeline, by name. The number stands for it in stamps.
  uint64_t AddOperation(std::string_view name, uint32_t timeline, uint64_t nth);

  // The allocation is there from now on, for what is ordered behind `stamp`; its bytes are
  // undefined, and poisoned if it is a device's.
  void Allocate(const Stamp& stamp, const std::shared_ptr<Allocation>& allocation);
  // It is gone. Uses that nothing orders before are reported, and so is a second free.
  void Free(const Stamp& stamp, Allocation& allocation);

  // It is gone with its context; what used it last does not matter any more.
  void Discard(Allocation& allocation);

  // Whether the allocation is there for a command that uses it; reports if not.
  bool CheckLive(const Stamp& stamp, const Allocation& allocation);
  // The allocation that holds an address for commands that run now; null if none does.
  std::shared_ptr<Allocation> Find(uint64_t address);
  // Words about what lies next to an address that no allocation holds.
  std::string Neighbours(uint64_t address);

  // Uses of bytes inside one allocation. Reads of device memory that nothing has written are
  // reported if `check_defined`; what is written is defined from now on.
  void Use(const Stamp& stamp, Allocation& allocation, std::span<const MemoryUse> uses,
           bool check_defined);
  // Sets the bits of the bytes of [begin, end) that are defined.
  void ReadDefined(const Allocation& allocation, uint64_t begin, uint64_t end, uint64_t* bits);
  // Device memory: nothing has written these bytes any more.
  void Undefine(Allocation& allocation, uint64_t begin, uint64_t end);
  // The host uses bytes itself, as a test says. Only memory that devices can use counts.
  void HostUse(const Stamp& stamp, uint64_t begin, uint64_t end, bool writes);

  // A report that begins with who does what: "KIND: 'relu' (stream 1, command 3) TEXT".
  void Report(const Stamp& stamp, std::string_view kind, std::string_view text);
  std::string NameOf(uint64_t operation) const;

 private:
  struct Operation {
    uint32_t name, timeline;
    uint64_t nth;
  };
  // These need mutex_.
  std::string NameLocked(uint64_t operation) const;
  void MarkBytes(const Stamp& stamp, const Allocation& allocation, const MemoryUse& use);
  void ReportLocked(const Stamp& stamp, std::string_view kind, std::string_view text);

  mutable std::mutex mutex_;
  std::vector<std::string> timelines_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, uint32_t> name_numbers_;
  std::vector<Operation> operations_;
  ShadowMemory shadow_;  // by address: those of devices and of the host differ
  std::map<uint64_t, std::shared_ptr<Allocation>> resident_;  // live, or freed and not reused
};

// Bytes that no program wrote. Each is a NaN or far from anything useful in most element types.
inline constexpr int kFreshPoison = 0xFF;
inline constexpr int kFreedPoison = 0xFE;
inline constexpr int kInFlightPoison = 0xFD;  // destinations of copies to the host

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_CHECKER_H_
