// Helpers for reading messages.
#ifndef TFRT_LIB_PROFILER_PERFETTO_MESSAGE_FIELDS_H_
#define TFRT_LIB_PROFILER_PERFETTO_MESSAGE_FIELDS_H_

#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string_view>

namespace tfrt::profiler {

inline protozero::pbf_reader OpenMessage(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

// Returns the bytes of the reader's current field.
inline std::string_view View(protozero::pbf_reader& reader) {
  const protozero::data_view view = reader.get_view();
  return {view.data(), view.size()};
}

// A field whose wire type is wrong is skipped like an unknown one.
constexpr uint32_t Tag(uint32_t field, protozero::pbf_wire_type type) {
  return protozero::tag_and_type(field, type);
}
inline constexpr auto kVarint = protozero::pbf_wire_type::varint;
inline constexpr auto kFixed64 = protozero::pbf_wire_type::fixed64;
inline constexpr auto kLength = protozero::pbf_wire_type::length_delimited;

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_MESSAGE_FIELDS_H_
