// The strings of a Strings or LocationStrings section by offset.
#ifndef TFRT_LIB_FORMAT_BEF_STRING_TABLE_H_
#define TFRT_LIB_FORMAT_BEF_STRING_TABLE_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tfrt::bef {

class StringTable {
 public:
  // False if the last string is not terminated.
  [[nodiscard]] bool Open(std::span<const uint8_t> bytes) {
    bytes_ = bytes;
    ends_.clear();
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == 0) ends_.push_back(static_cast<uint32_t>(i));
    }
    return bytes.empty() || bytes.back() == 0;
  }

  // False if no string starts at `offset`. Takes logarithmic time, whatever the string's length.
  [[nodiscard]] bool Find(uint32_t offset, std::string_view* text) const {
    auto end = std::lower_bound(ends_.begin(), ends_.end(), offset);
    if (end == ends_.end()) return false;
    uint32_t start = end == ends_.begin() ? 0 : end[-1] + 1;
    if (start != offset) return false;
    *text = {reinterpret_cast<const char*>(bytes_.data()) + offset, *end - offset};
    return true;
  }

 private:
  std::span<const uint8_t> bytes_;
  std::vector<uint32_t> ends_;  // positions of the terminators
};

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_STRING_TABLE_H_
