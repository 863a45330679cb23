// Reads messages of protocol buffers by their fields:
//
//   ReadMessage(bytes, Varint(kId, &id), Bytes(kName, &name),
//               Bytes(kLine, [&](std::string_view line) { ReadLine(line); }));
//
// A field's value goes into a variable, of several values the last one, or to a function. Fields of
// other numbers, and those whose wire type is wrong, are passed over. All functions throw
// protozero::exception for bytes that are no message.
#ifndef TFRT_LIB_PROFILER_MESSAGE_FIELDS_H_
#define TFRT_LIB_PROFILER_MESSAGE_FIELDS_H_

#include <cstdint>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tfrt::profiler {
namespace internal {

template <typename T>
struct Stored {
  using Type = T;
};
template <typename T>
struct Stored<std::optional<T>> {
  using Type = T;
};

// Passes a value to a function, or stores it in the variable that a pointer leads to.
template <typename To, typename Value>
void Give(const To& to, Value value) {
  if constexpr (std::is_pointer_v<To>) {
    *to = static_cast<typename Stored<std::remove_pointer_t<To>>::Type>(value);
  } else {
    to(value);
  }
}

// Returns a reader of one field: it tells whether the field was its own.
template <typename Get, typename To>
auto FieldReader(uint32_t field, protozero::pbf_wire_type type, Get get, To to) {
  return [=](uint32_t tag, protozero::pbf_reader& reader) {
    if (tag != protozero::tag_and_type(field, type)) return false;
    Give(to, get(reader));
    return true;
  };
}

}  // namespace internal

// Integers of any type, and booleans.
template <typename To>
auto Varint(uint32_t field, To to) {
  return internal::FieldReader(
      field, protozero::pbf_wire_type::varint,
      [](protozero::pbf_reader& reader) { return reader.get_uint64(); }, to);
}
// Integers of the types sint32 and sint64.
template <typename To>
auto Signed(uint32_t field, To to) {
  return internal::FieldReader(
      field, protozero::pbf_wire_type::varint,
      [](protozero::pbf_reader& reader) { return reader.get_sint64(); }, to);
}
template <typename To>
auto Fixed64(uint32_t field, To to) {
  return internal::FieldReader(
      field, protozero::pbf_wire_type::fixed64,
      [](protozero::pbf_reader& reader) { return reader.get_fixed64(); }, to);
}
// Texts, bytes and messages: views of the bytes that are read, which are never null.
template <typename To>
auto Bytes(uint32_t field, To to) {
  return internal::FieldReader(
      field, protozero::pbf_wire_type::length_delimited,
      [](protozero::pbf_reader& reader) {
        const protozero::data_view view = reader.get_view();
        return std::string_view(view.data(), view.size());
      },
      to);
}
// Integers of a repeated field: one of them, or many packed.
template <typename Number>
auto Varints(uint32_t field, std::vector<Number>* numbers) {
  auto add = [=](uint64_t number) { numbers->push_back(static_cast<Number>(number)); };
  return [=](uint32_t tag, protozero::pbf_reader& reader) {
    return Varint(field, add)(tag, reader) || Bytes(field, [&](std::string_view packed) {
             const char* at = packed.data();
             const char* const end = at + packed.size();
             while (at != end) add(protozero::decode_varint(&at, end));
           })(tag, reader);
  };
}

// Reads a message; `other` gets the reader at each field that none of `fields` is for, and must
// read or skip it.
template <typename Other, typename... Fields>
void ReadMessageOr(std::string_view bytes, const Other& other, const Fields&... fields) {
  protozero::pbf_reader reader(bytes.data(), bytes.size());
  while (reader.next()) {
    const uint32_t tag = reader.tag_and_type();
    if (!(fields(tag, reader) || ...)) other(reader);
  }
}
template <typename... Fields>
void ReadMessage(std::string_view bytes, const Fields&... fields) {
  ReadMessageOr(bytes, [](protozero::pbf_reader& reader) { reader.skip(); }, fields...);
}

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_MESSAGE_FIELDS_H_
