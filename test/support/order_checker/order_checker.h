// OrderChecker: finds uses of memory that nothing orders, whatever happened to run first.
//
// Each timeline has a vector clock, which its operations advance and which events carry from one
// timeline to another. Two uses of the same bytes, one of which changes them, must be ordered by
// these clocks. As they follow from the order of calls alone, a wait that is missing is found on
// the first path that a test takes, also where the timing was kind, and reports repeat.
//
// Knows no device: what has streams and memory tells of them through TimelineObserver.
#ifndef TFRT_TEST_SUPPORT_ORDER_CHECKER_ORDER_CHECKER_H_
#define TFRT_TEST_SUPPORT_ORDER_CHECKER_ORDER_CHECKER_H_

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lib/runtime/host/timeline_observer.h"
#include "test/support/order_checker/order_report.h"
#include "test/support/order_checker/shadow_memory.h"
#include "test/support/order_checker/vector_clock.h"

namespace tfrt {

struct OrderCheckerOptions {
  // kOne: all host threads are one timeline, so what one waited for counts for all, and their calls
  // are ordered as they come. Right for one thread, and blind to what host threads owe each other.
  // kEach: each is a timeline; what one hands over to another (threads that are started or joined,
  // queues) must be told by an event that one records and the other waits for.
  enum class HostThreads { kOne, kEach } host_threads = HostThreads::kOne;
  // Reports reads of device memory that nothing wrote since its allocation.
  bool report_reads_of_unwritten = false;
};

// Thread-safe. Must outlive what it observes. Reports must be taken: a checker that is destroyed
// with some left prints them and aborts, so that a test cannot forget to look.
class OrderChecker final : public TimelineObserver {
 public:
  using Options = OrderCheckerOptions;

  explicit OrderChecker(Options options = {});
  ~OrderChecker() override;

  // What was found since the last call, in the order of calls. The bytes of two operations that
  // conflict in one stretch are one report; more than kMaxReports are counted only.
  std::vector<OrderReport> TakeReports();
  static constexpr size_t kMaxReports = 100;
  // Found since the last TakeReports, with those that were counted only.
  size_t num_found() const;

  Timeline AddTimeline(std::string_view name) override;
  Space AddSpace(std::string_view name, const void* begin, size_t size_bytes) override;
  void RemoveSpace(Space space) override;
  void Use(Timeline timeline, std::string_view operation,
           std::span<const Access> accesses) override;
  void Allocate(Timeline timeline, std::string_view operation, Space space, const void* address,
                size_t size_bytes) override;
  void Free(Timeline timeline, std::string_view operation, Space space,
            const void* address) override;
  Event Record(Timeline timeline) override;
  void Wait(Timeline timeline, Event event) override;
  void Forget(Event event) override;

 private:
  struct TimelineState {
    std::string name;
    VectorClock clock;
  };
  struct Operation {
    std::string name;
    Timeline timeline;
  };
  struct Block {
    uintptr_t end;
    uint64_t size_bytes;  // as asked for; an empty block has an address of its own, too
    Mark allocated;
    std::optional<Mark> freed;
  };
  struct SpaceState {
    std::string name;
    uintptr_t begin = 0, end = 0;  // empty once removed
    ShadowMemory shadow;
    std::map<uintptr_t, Block> blocks;
  };
  // The following need mutex_.
  Timeline HostTimeline();
  // The timeline that is meant, which has seen what the calling thread has.
  Timeline Enter(Timeline timeline);
  // The next operation on a timeline that was entered. All marks of it are the same but for `kind`.
  Mark Begin(Timeline timeline, std::string_view operation, MarkKind kind);
  void UseOne(const Mark& mark, const Access& access);
  // Whether the bytes lie in the memory in which they should, and in a block of it; reports if not.
  bool CheckSpace(const Mark& mark, Space space, uintptr_t begin, uintptr_t end);
  bool CheckBlock(const Mark& mark, Space space, uintptr_t begin, uintptr_t end);
  void MarkBytes(const Mark& mark, Space space, uintptr_t begin, uintptr_t end);
  // Takes [begin, end) out of the blocks that are free; reports those that are not.
  void MakeRoom(const Mark& mark, Space space, uintptr_t begin, uintptr_t end);
  void Report(Defect defect, const Mark& mark, const Mark* earlier, Space space, uintptr_t begin,
              uintptr_t end, std::string_view needed_memory = {});
  // The device memory that holds one of these bytes; kHostMemory if none does.
  Space SpaceOf(uintptr_t begin, uintptr_t end) const;

  const Options options_;
  mutable std::mutex mutex_;
  std::vector<TimelineState> timelines_;                       // 0: the host, where it is one
  std::unordered_map<uint64_t, Timeline> timeline_of_thread_;  // kEach
  std::vector<SpaceState> spaces_;                             // 0: of the host
  std::vector<Operation> operations_;
  std::unordered_map<Event, VectorClock> events_;
  Event last_event_ = 0;

  struct Found {
    OrderReport report;
    uint64_t operation, earlier_operation;
  };
  std::vector<Found> found_;
  size_t num_found_ = 0;
};

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_ORDER_CHECKER_ORDER_CHECKER_H_
