// Fields: the fields of one protobuf message, with what is wrong as an error that names the offset.
#ifndef TFRT_LIB_COMPILER_ONNX_FIELDS_H_
#define TFRT_LIB_COMPILER_ONNX_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "model.h"

namespace tfrt::onnx {

// Thrown by the reader alone, which catches it.
struct FormatError {
  uint64_t offset;
  std::string message;
};

// The state that all messages of a file share.
struct FileReading {
  std::span<const uint8_t> file;
  // Each becomes a struct, which takes more memory than the bytes of a hostile message: so many
  // are more than any model has.
  static constexpr size_t kMaxMessages = size_t{1} << 21;
  // Limits the depth of graphs in attributes, and of types in types.
  static constexpr int kMaxDepth = 32;
  size_t num_messages = 0;
  int depth = 0;
  uint64_t last_offset = 0;  // of the message that a field was read of last

  uint64_t OffsetOf(const void* data) const {
    return static_cast<uint64_t>(static_cast<const uint8_t*>(data) - file.data());
  }
};

// A field that a message may have: its number, and the place of its value. Numbers and elements of
// lists are added to a vector. A message is read by its ReadMessage (messages.h). A function is
// called with the Fields, of which it reads the value.
template <typename T>
struct Field {
  uint32_t number;
  T value;
};
template <typename T>
Field(uint32_t, T&&) -> Field<T>;

// A cursor over the fields of a message. Takes part in the count of messages, and in their depth as
// long as it lives.
class Fields {
 public:
  Fields(FileReading& reading, std::span<const uint8_t> message);
  ~Fields() { --reading_.depth; }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  // Reads all fields: values of known numbers go to their places, others are skipped. A FormatError
  // for another wire type.
  template <typename... T>
  void Read(Field<T>... known) {
    while (Next()) {
      const bool is_known = ((number() == known.number && (Take(known.value), true)) || ...);
      if (!is_known) Skip();
    }
  }

  // For functions in the place of a value: the field and its value.
  uint32_t number() const { return reader_.tag(); }
  int64_t Integer();
  std::string_view Text();
  std::span<const uint8_t> Bytes();
  // The encoded number or numbers.
  void AddRun(std::vector<std::span<const uint8_t>>& runs);
  void Skip() { reader_.skip(); }
  void Take(std::string_view& value) { value = Text(); }
  void Take(int64_t& value) { value = Integer(); }
  void Take(float& value);
  void Take(std::optional<std::span<const uint8_t>>& value) { value = Bytes(); }
  void Take(std::vector<int64_t>& values);
  void Take(std::vector<float>& values);
  template <typename T>
  void Take(std::vector<T>& values) {
    Take(values.emplace_back());
  }
  template <typename T>
  void Take(T& value) {
    if constexpr (std::is_invocable_v<T&, Fields&>) {
      value(*this);
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(Integer());
    } else {
      Message([&](Fields& message) { ReadMessage(message, value); });
    }
  }
  // Calls `read` with the fields of the message that the field is.
  template <typename F>
  void Message(F read) {
    Fields message(reading_, Bytes());
    read(message);
  }

  [[noreturn]] void Fail(std::string message) const;

 private:
  bool Next();  // false at the end
  void Expect(protozero::pbf_wire_type type) const;
  bool Is(protozero::pbf_wire_type type) const { return reader_.wire_type() == type; }

  FileReading& reading_;
  uint64_t offset_;
  uint64_t size_;
  protozero::pbf_reader reader_;
};

}  // namespace tfrt::onnx

#endif  // TFRT_LIB_COMPILER_ONNX_FIELDS_H_
