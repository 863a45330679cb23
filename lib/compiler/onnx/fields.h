// Fields: the fields of one protobuf message, with what is wrong as an error that names the offset.
#ifndef TFRT_LIB_COMPILER_ONNX_FIELDS_H_
#define TFRT_LIB_COMPILER_ONNX_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <span>
#include <string>
#include <string_view>
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

// A cursor over the fields of a message. Takes part in the count of messages, and in their depth as
// long as it lives.
class Fields {
 public:
  Fields(FileReading& reading, std::span<const uint8_t> message);
  ~Fields() { --reading_.depth; }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  // The next field; false at the end.
  bool Next();
  uint32_t number() const { return reader_.tag(); }
  void Skip() { reader_.skip(); }
  uint64_t offset() const { return offset_; }  // of the message

  // The value of the field; a FormatError if it has another wire type.
  int64_t Integer();
  float Float();
  std::string_view Text();
  std::span<const uint8_t> Bytes();
  KeyValue Pair();
  // Adds the number or numbers.
  void AddIntegers(std::vector<int64_t>& values);
  void AddFloats(std::vector<float>& values);
  // Adds the encoded number or numbers.
  void AddRun(std::vector<std::span<const uint8_t>>& runs);

  FileReading& reading() { return reading_; }
  [[noreturn]] void Fail(std::string message) const;

 private:
  void Expect(protozero::pbf_wire_type type) const;
  bool Is(protozero::pbf_wire_type type) const { return reader_.wire_type() == type; }

  FileReading& reading_;
  uint64_t offset_;
  uint64_t size_;
  protozero::pbf_reader reader_;
};

}  // namespace tfrt::onnx

#endif  // TFRT_LIB_COMPILER_ONNX_FIELDS_H_
