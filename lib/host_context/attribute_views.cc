#include "tfrt/host_context/attribute_views.h"

namespace tfrt {
namespace {

uint64_t ReadVbr(const uint8_t*& data) {
  uint64_t value = 0;
  uint8_t byte;
  do {
    byte = *data++;
    value = (value << 7) | (byte & 0x7F);
  } while (byte & 0x80);
  return value;
}

}  // namespace

CompilationUnitAttribute::CompilationUnitAttribute(const uint8_t* data) {
  id_ = ReadVbr(data);
  size_t root_size = ReadVbr(data);
  std::vector<size_t> nested_sizes(ReadVbr(data));
  for (size_t& size : nested_sizes) size = ReadVbr(data);
  size_t module_size = ReadVbr(data);
  auto take = [&](size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    data += size;
    return text;
  };
  root_symbol_ = take(root_size);
  nested_symbols_.reserve(nested_sizes.size());
  for (size_t size : nested_sizes) nested_symbols_.push_back(take(size));
  module_text_ = take(module_size);
}

}  // namespace tfrt
