// OrderReport: one defect that the order checker found.
#ifndef TFRT_TEST_SUPPORT_ORDER_CHECKER_ORDER_REPORT_H_
#define TFRT_TEST_SUPPORT_ORDER_CHECKER_ORDER_REPORT_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace tfrt {

enum class Defect : uint8_t {
  kUnordered,            // two uses of the same bytes, one of which changes them
  kUseBeforeAllocation,  // of bytes that are not allocated, or not yet in the order of the user
  kUseAfterFree,         // or a free of what may still be in use
  kOutOfBounds,          // a use that begins inside a block and ends outside
  kReusedTooEarly,       // an allocation of bytes that are not free, or not yet in its order
  kWrongMemory,          // a host address where one of a device is needed, or the reverse
  kDoubleFree,
  kFreeOfNoBlock,
  kReadOfUnwritten,  // only if asked for
  kUnknownEvent,     // a wait for what was never recorded, or is forgotten
};

// A short name: "unordered", "use after free", ...
std::string_view DefectName(Defect defect);

struct OrderReport {
  Defect defect;
  // The operation whose call found it, what it does with the bytes ("reads"), and its timeline.
  std::string operation, use, timeline;
  // The one that it is not ordered with, or that freed or allocated; empty if there is none.
  std::string earlier_operation, earlier_use, earlier_timeline;
  // Where the bytes lie: offsets in the memory of a device, addresses in that of the host.
  std::string memory;
  uint64_t begin = 0, size_bytes = 0;
  // kWrongMemory: where they should.
  std::string needed_memory;

  // One line that says all this.
  std::string ToString() const;
};
std::ostream& operator<<(std::ostream& out, const OrderReport& report);

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_ORDER_CHECKER_ORDER_REPORT_H_
