#include "kernel_name.h"

#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "lib/profiler/utf8.h"

namespace tfrt::gpu {
namespace {

std::string Printable(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t size = profiler::Utf8CharacterSize(text);
    const auto byte = static_cast<uint8_t>(text[0]);
    if (size == 0 || byte < 0x20 || byte == 0x7f) {
      size = 1;
      out += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
    } else {
      out += text.substr(0, size);
    }
    text.remove_prefix(size);
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
