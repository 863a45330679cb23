#include "test/support/order_checker/order_report.h"

#include <cstdio>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

std::string Hex(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// Behind "'A' on X writes BYTES, which 'B' on Y reads".
std::string_view WithEarlier(Defect defect) {
  switch (defect) {
    case Defect::kUnordered:
      return "; nothing orders the two";
    case Defect::kUseBeforeAllocation:
    case Defect::kReusedTooEarly:
      return "; nothing orders this behind that";
    case Defect::kUseAfterFree:
      return "; no wait makes the free the last of the two";
    case Defect::kDoubleFree:
      return " already";
    case Defect::kReadOfUnwritten:
      return "; nothing has written them since";
    default:
      return "";
  }
}

// Behind "'A' on X writes BYTES".
std::string_view Alone(Defect defect) {
  switch (defect) {
    case Defect::kUseBeforeAllocation:
      return ", where no block is allocated";
    case Defect::kFreeOfNoBlock:
      return ", where no block begins";
    case Defect::kOutOfBounds:
      return ", of which the last are not in its block";
    default:
      return "";
  }
}

}  // namespace

std::string_view DefectName(Defect defect) {
  switch (defect) {
    case Defect::kUnordered:
      return "unordered";
    case Defect::kUseBeforeAllocation:
      return "use before allocation";
    case Defect::kUseAfterFree:
      return "use after free";
    case Defect::kOutOfBounds:
      return "out of bounds";
    case Defect::kReusedTooEarly:
      return "reused too early";
    case Defect::kWrongMemory:
      return "wrong memory";
    case Defect::kDoubleFree:
      return "double free";
    case Defect::kFreeOfNoBlock:
      return "free of no block";
    case Defect::kReadOfUnwritten:
      return "read of unwritten";
    case Defect::kUnknownEvent:
      return "unknown event";
  }
  return "";
}

std::string OrderReport::ToString() const {
  std::string text = StrCat(DefectName(defect), ": '", operation, "' on ", timeline);
  if (defect == Defect::kUnknownEvent) return text;
  text += StrCat(" ", use, " bytes ", Hex(begin), " to ", Hex(begin + size_bytes), " of ", memory);
  if (defect == Defect::kWrongMemory) {
    return StrCat(text, " where an address of ", needed_memory, " is needed");
  }
  if (earlier_operation.empty()) return StrCat(text, Alone(defect));
  return StrCat(text, ", which '", earlier_operation, "' on ", earlier_timeline, " ", earlier_use,
                WithEarlier(defect));
}

std::ostream& operator<<(std::ostream& out, const OrderReport& report) {
  return out << report.ToString();
}

}  // namespace tfrt
