#include "fields.h"

#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::onnx {

using protozero::pbf_wire_type;

Fields::Fields(FileReading& reading, std::span<const uint8_t> message)
    : reading_(reading),
      offset_(reading.OffsetOf(message.data())),
      size_(message.size()),
      reader_(reinterpret_cast<const char*>(message.data()), message.size()) {
  // Counted first: whoever throws here has not been made, and is not destroyed.
  if (reading_.num_messages >= FileReading::kMaxMessages) {
    Fail(StrCat("the file has more than ", FileReading::kMaxMessages, " messages"));
  }
  if (reading_.depth >= FileReading::kMaxDepth) {
    Fail(StrCat("messages are nested more than ", FileReading::kMaxDepth, " deep"));
  }
  ++reading_.num_messages;
  ++reading_.depth;
}

void Fields::Fail(std::string message) const { throw FormatError{offset_, std::move(message)}; }

bool Fields::Next() {
  const uint64_t at = offset_ + size_ - reader_.length();
  reading_.last_offset = offset_;
  try {
    return reader_.next();
  } catch (const protozero::exception& error) {
    throw FormatError{at, StrCat("no field of a message: ", error.what())};
  }
}

void Fields::Expect(pbf_wire_type type) const {
  if (Is(type)) return;
  Fail(StrCat("field ", number(), " has the wire type ", static_cast<int>(reader_.wire_type()),
              ", expected ", static_cast<int>(type)));
}

int64_t Fields::Integer() {
  Expect(pbf_wire_type::varint);
  return reader_.get_int64();
}

std::string_view Fields::Text() {
  Expect(pbf_wire_type::length_delimited);
  protozero::data_view view = reader_.get_view();
  return {view.data(), view.size()};
}

std::span<const uint8_t> Fields::Bytes() {
  std::string_view text = Text();
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

void Fields::Take(float& value) {
  Expect(pbf_wire_type::fixed32);
  value = reader_.get_float();
}

void Fields::Take(std::vector<int64_t>& values) {
  if (Is(pbf_wire_type::varint)) return Take(values.emplace_back());
  Expect(pbf_wire_type::length_delimited);
  for (int64_t value : reader_.get_packed_int64()) values.push_back(value);
}

void Fields::Take(std::vector<float>& values) {
  if (Is(pbf_wire_type::fixed32)) return Take(values.emplace_back());
  Expect(pbf_wire_type::length_delimited);
  for (float value : reader_.get_packed_float()) values.push_back(value);
}

void Fields::AddRun(std::vector<std::span<const uint8_t>>& runs) {
  if (Is(pbf_wire_type::length_delimited)) return runs.push_back(Bytes());
  // A number of its own: its bytes lie between here and the next field.
  const uint64_t begin = offset_ + size_ - reader_.length();
  reader_.skip();
  const uint64_t end = offset_ + size_ - reader_.length();
  runs.push_back(reading_.file.subspan(begin, end - begin));
}

}  // namespace tfrt::onnx
