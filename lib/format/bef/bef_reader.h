// BefView: a checked view of the bytes of a BEF file.
//
// After Open every accessor is safe on any input. Open checks all offsets, counts, indices, strings
// and alignments of all sections and function bodies. User lists and use counts must agree with the
// operands, and every register must be defined once and before its uses.
//
// No check takes more than linear time in the file's size. Open and each accessor take at most
// kMaxHeapPerByte bytes of memory per byte of the file, whatever its contents. (ReadLocation,
// ReadExtras and ReadSignatures are exceptions.) Open does not check that kernels exist, or that
// attributes have the kinds that kernels expect. Typed reads (attribute_reader.h) check the kinds.
#ifndef TFRT_LIB_FORMAT_BEF_BEF_READER_H_
#define TFRT_LIB_FORMAT_BEF_BEF_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/bef/bef_format.h"
#include "tfrt/bef/extras.h"
#include "tfrt/bef/signatures.h"
#include "tfrt/bef/weights.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

// The largest number of bytes of memory that reading a file takes per byte of it, plus a few
// hundred bytes in all.
inline constexpr size_t kMaxHeapPerByte = 16;

// An entry of the FunctionIndex section. Points into the BefView.
struct FunctionInfo {
  FunctionKind kind = FunctionKind::kAsync;
  uint32_t body_offset = 0;  // in the Functions section; unused for native functions
  std::string_view name;     // empty for a region
  std::span<const uint32_t> argument_types;  // type ids
  std::span<const uint32_t> result_types;
};

// One kernel call of a function. The spans point into the DecodedFunction.
class DecodedKernel {
 public:
  // Wraps the words of a kernel in a body (docs/reference/bef_format.md), which must outlive it.
  DecodedKernel(const uint32_t* kernel_words, uint32_t stream, uint32_t num_users)
      : words_(kernel_words), stream_(stream), num_users_(num_users) {}

  uint32_t kernel_id() const { return words_[0]; }  // index into kernel_names()
  uint32_t location() const { return words_[1]; }   // for DecodeLocation
  uint32_t stream() const { return stream_; }
  // Returns one count per result.
  std::span<const uint32_t> user_counts() const { return {words_ + kKernelHeaderWords, words_[5]}; }
  // Returns registers.
  std::span<const uint32_t> operands() const { return Next(user_counts(), words_[2]); }
  // Returns offsets in attributes().
  std::span<const uint32_t> attributes() const { return Next(operands(), words_[3]); }
  // Returns function ids.
  std::span<const uint32_t> functions() const { return Next(attributes(), words_[4]); }
  // Returns registers, in ascending order.
  std::span<const uint32_t> results() const { return Next(functions(), words_[5]); }
  // Returns the users of result 0, then of result 1, ...: indices into kernels(), in reverse
  // program order. There is one entry per operand occurrence; the return is not included.
  std::span<const uint32_t> users() const { return Next(results(), num_users_); }

 private:
  static std::span<const uint32_t> Next(std::span<const uint32_t> list, size_t size) {
    return {list.data() + list.size(), size};
  }

  const uint32_t* words_;
  uint32_t stream_;
  uint32_t num_users_;
};

// The decoded body of a function. Immutable, movable; all spans live as long as it does.
class DecodedFunction {
 public:
  DecodedFunction() = default;
  DecodedFunction(DecodedFunction&&) = default;
  DecodedFunction& operator=(DecodedFunction&&) = default;
  DecodedFunction(const DecodedFunction&) = delete;
  DecodedFunction& operator=(const DecodedFunction&) = delete;

  uint32_t location() const { return location_; }
  uint32_t root_stream() const { return root_stream_; }
  // Returns the number of arguments, which are registers 0 .. num_arguments() - 1.
  uint32_t num_arguments() const { return num_arguments_; }
  uint32_t num_registers() const { return static_cast<uint32_t>(use_counts_.size()); }
  // Returns for each register the number of its uses as an operand and by the return.
  std::span<const uint32_t> use_counts() const { return use_counts_; }
  // Returns the kernels in program order: operands are arguments or results of earlier kernels.
  std::span<const DecodedKernel> kernels() const { return kernels_; }
  // Returns the indices of the kernels without operands, in program order.
  std::span<const uint32_t> kernels_without_operands() const { return without_operands_; }
  // Return one count per argument, and the users of all arguments one after another.
  std::span<const uint32_t> argument_user_counts() const { return argument_user_counts_; }
  std::span<const uint32_t> argument_users() const { return argument_users_; }
  std::span<const uint32_t> returns() const { return returns_; }

 private:
  friend class FunctionDecoder;
  uint32_t location_ = 0;
  uint32_t root_stream_ = 0;
  uint32_t num_arguments_ = 0;
  std::vector<uint32_t> pool_;
  std::vector<DecodedKernel> kernels_;
  std::span<const uint32_t> use_counts_;
  std::span<const uint32_t> without_operands_;
  std::span<const uint32_t> argument_user_counts_;
  std::span<const uint32_t> argument_users_;
  std::span<const uint32_t> returns_;
};

// The position of a section, in bytes from the start of the file.
struct SectionInfo {
  SectionId id;
  size_t header;   // its first byte
  size_t payload;  // the first byte after header and padding
  size_t size;     // of the payload
};
// Returns the sections of a file as far as their headers can be read, valid or not, in file order.
// Checks nothing else: for tools that show faults of a file.
std::vector<SectionInfo> ListSections(std::span<const uint8_t> file);

// A view of a file, immutable and thread-safe after Open. Does not own the file's bytes: they must
// outlive it and stay unchanged, because it keeps pointers into them.
class BefView {
 public:
  struct AttributeType {
    uint32_t offset;
    TypeCode code;
  };

  // Checks and opens a file. The memory must be aligned by kFileAlignment. Messages are the fixed
  // ones of version 0. On an error `detail`, if given, receives the exact fault where the message
  // does not state it. Otherwise it is left empty.
  static StatusOr<BefView> Open(std::span<const uint8_t> file, std::string* detail = nullptr);

  BefView(BefView&&) noexcept;
  BefView& operator=(BefView&&) noexcept;
  ~BefView();

  std::span<const uint8_t> file() const;
  std::span<const std::string_view> kernel_names() const;
  std::span<const std::string_view> type_names() const;
  std::span<const FunctionInfo> functions() const;
  // Returns the payload of the Attributes section. Typed reads: attribute_reader.h.
  std::span<const uint8_t> attributes() const;

  // Decodes the body of a function. Fails with InvalidArgument if `function` is out of range or
  // native.
  StatusOr<DecodedFunction> DecodeFunction(uint32_t function) const;

  // Decodes a location offset of a function or kernel to a DecodedLocation; virtual ones give
  // "(unknown)". Offsets that no function of this file names are unknown too.
  DecodedLocation DecodeLocation(uint32_t location) const;
  // Returns the names that a location carries for debugging, if it has any.
  std::optional<std::string> DebugInfo(uint32_t location) const;
  // The location as a tree, for BEF->MLIR. Virtual: kind kUnknown, `unsupported` set.
  struct LocationNode {
    LocationKind kind = LocationKind::kUnknown;
    bool unsupported = false;
    std::string_view text;
    uint32_t line = 0;
    uint32_t column = 0;
    std::vector<LocationNode> children;
  };
  LocationNode ReadLocation(uint32_t location) const;

  // Sections 8 to 10. They are written together or not at all. Each is optional here.
  bool has_attribute_types() const;
  bool has_attribute_names() const;
  bool has_register_types() const;
  // Returns the attribute types, ascending by offset.
  std::span<const AttributeType> attribute_types() const;
  // Returns the type code of the attribute at an offset, if the section exists and contains it.
  std::optional<TypeCode> FindAttributeType(uint32_t offset) const;
  // Returns the names of the attributes of all kernels of a function, in kernel and attribute
  // order. Empty for natives and without the section.
  std::vector<std::string_view> AttributeNames(uint32_t function) const;
  // Returns type ids of a function's registers; empty for natives and without the section.
  std::vector<uint32_t> RegisterTypes(uint32_t function) const;

  // Returns section 64; empty if absent.
  const NonStrictMarks& nonstrict() const;
  // Decodes section 65 at each call; empty if absent.
  Extras ReadExtras() const;
  // Decodes section 66 at each call; empty if absent.
  Signatures ReadSignatures() const;
  // Returns section 67; empty if absent. The weights point into the file's bytes.
  std::span<const Weight> weights() const;

 private:
  friend class BefVerifier;
  struct Tables;
  explicit BefView(std::unique_ptr<Tables> tables);
  std::unique_ptr<Tables> tables_;
};

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_BEF_READER_H_
