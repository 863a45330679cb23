#include "kernel_name.h"

#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace tfrt::gpu {
namespace {

// How many bytes from `at` on are one character of UTF-8 that can be printed; 0: none.
size_t CharacterBytes(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(at);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() - at < size) return 0;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  const uint8_t second = byte(at + 1);
  // Longer than need be, halves of pairs, and beyond the last character.
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) {
    return 0;
  }
  return size;
}

std::string Printable(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const size_t size = CharacterBytes(text, i);
    if (size > 0) {
      out.append(text.substr(i, size));
      i += size;
    } else {
      const auto byte = static_cast<uint8_t>(text[i++]);
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

}  // namespace

std::string KernelName(const char* name) {
  const size_t size = name ? strnlen(name, kMaxKernelName) : 0;
  if (size == 0) return "(no name)";
  const std::string text(name, size);
  // Other names may be those of types: "f" is float.
  if (text.starts_with("_Z")) {
    int status = 0;
    if (char* spelled = abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status)) {
      std::string out = Printable(std::string_view(spelled, strnlen(spelled, kMaxKernelName)));
      std::free(spelled);
      return out;
    }
  }
  return Printable(text);
}

}  // namespace tfrt::gpu
