// BefView: a checked view of the bytes of a BEF file.
//
// Open promises that afterwards every accessor is safe on any input: all offsets, counts, indices,
// strings and alignments of all sections and function bodies were checked, user lists and use
// counts agree with the operands, every register is defined once and before its uses, no check
// takes more than linear time in the file's size, and Open and each accessor take at most
// kMaxHeapPerByte bytes of memory per byte of the file, whatever is in it (ReadLocation,
// ReadExtras and ReadSignatures apart). It does not promise that kernels exist, or that attributes
// have the kinds that kernels expect: typed reads (attribute_reader.h) check that.
#ifndef TFRT_BEF_BEF_READER_H_
#define TFRT_BEF_BEF_READER_H_

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

// Bytes of memory that reading a file takes at most per byte of it, without a few hundred of its
// own.
inline constexpr size_t kMaxHeapPerByte = 16;

// An entry of the FunctionIndex section. Points into the BefView.
struct FunctionInfo {
  FunctionKind kind = FunctionKind::kAsync;
  uint32_t body_offset = 0;  // in the Functions section; of no meaning for native functions
  std::string_view name;     // empty for a region
  std::span<const uint32_t> argument_types;  // type ids
  std::span<const uint32_t> result_types;
};

// One kernel call of a function. The spans point into the DecodedFunction.
class DecodedKernel {
 public:
  // Of the record of a kernel in a body (docs/bef_format.md), which must outlive it.
  DecodedKernel(const uint32_t* record, uint32_t stream, uint32_t num_users)
      : record_(record), stream_(stream), num_users_(num_users) {}

  uint32_t kernel_id() const { return record_[0]; }  // index into kernel_names()
  uint32_t location() const { return record_[1]; }   // for DecodeLocation
  uint32_t stream() const { return stream_; }
  // One per result.
  std::span<const uint32_t> user_counts() const {
    return {record_ + kKernelHeaderWords, record_[5]};
  }
  // Registers.
  std::span<const uint32_t> operands() const { return Next(user_counts(), record_[2]); }
  // Offsets in attributes().
  std::span<const uint32_t> attributes() const { return Next(operands(), record_[3]); }
  // Function ids.
  std::span<const uint32_t> functions() const { return Next(attributes(), record_[4]); }
  // Registers, in ascending order.
  std::span<const uint32_t> results() const { return Next(functions(), record_[5]); }
  // Users of result 0, then of result 1, ...: indices into kernels(), in reverse program order, one
  // entry per operand occurrence, without the return.
  std::span<const uint32_t> users() const { return Next(results(), num_users_); }

 private:
  static std::span<const uint32_t> Next(std::span<const uint32_t> list, size_t size) {
    return {list.data() + list.size(), size};
  }

  const uint32_t* record_;
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
  // Registers 0 .. num_arguments() - 1 are the arguments.
  uint32_t num_arguments() const { return num_arguments_; }
  uint32_t num_registers() const { return static_cast<uint32_t>(use_counts_.size()); }
  // Per register: its uses as an operand and by the return.
  std::span<const uint32_t> use_counts() const { return use_counts_; }
  // In program order: a kernel's operands are arguments or results of earlier kernels.
  std::span<const DecodedKernel> kernels() const { return kernels_; }
  // Indices of the kernels without operands, in program order.
  std::span<const uint32_t> kernels_without_operands() const { return without_operands_; }
  // One entry per argument, and the users of all arguments one after another.
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

// Where a section lies, in bytes from the start of the file.
struct SectionInfo {
  SectionId id;
  size_t header;   // its first byte
  size_t payload;  // the first byte behind header and padding
  size_t size;     // of the payload
};
// The sections of a file as far as their headers can be read, valid or not, in file order. Checks
// nothing else: for tools that show what is wrong.
std::vector<SectionInfo> ListSections(std::span<const uint8_t> file);

// Immutable and thread-safe after Open. Does not own the file's bytes, which must outlive it and
// stay unchanged; what it keeps points into them.
class BefView {
 public:
  struct AttributeType {
    uint32_t offset;
    TypeCode code;
  };

  // Checks and opens a file. The memory must be aligned by kFileAlignment. Messages are the
  // fixed ones of version 0; `detail`, if given, receives on an error what exactly is wrong where
  // the message itself does not say it, and is else left empty.
  static StatusOr<BefView> Open(std::span<const uint8_t> file, std::string* detail = nullptr);

  BefView(BefView&&) noexcept;
  BefView& operator=(BefView&&) noexcept;
  ~BefView();

  std::span<const uint8_t> file() const;
  std::span<const std::string_view> kernel_names() const;
  std::span<const std::string_view> type_names() const;
  std::span<const FunctionInfo> functions() const;
  // The payload of the Attributes section. Typed reads: attribute_reader.h.
  std::span<const uint8_t> attributes() const;

  // Decodes the body of a function. InvalidArgument: `function` is out of range or native.
  StatusOr<DecodedFunction> DecodeFunction(uint32_t function) const;

  // Decodes a location offset of a function or kernel as DecodedLocation has it; virtual ones
  // give "(unknown)". Offsets that no function of this file names are unknown too.
  DecodedLocation DecodeLocation(uint32_t location) const;
  // The names that a location carries for debugging, if it has any.
  std::optional<std::string> DebugInfo(uint32_t location) const;
  // The location as a tree; what BEF->MLIR wants. Virtual: kind kUnknown, `unsupported` set.
  struct LocationNode {
    LocationKind kind = LocationKind::kUnknown;
    bool unsupported = false;
    std::string_view text;
    uint32_t line = 0;
    uint32_t column = 0;
    std::vector<LocationNode> children;
  };
  LocationNode ReadLocation(uint32_t location) const;

  // Sections 8 to 10. They are written together or not at all; each is optional here.
  bool has_attribute_types() const;
  bool has_attribute_names() const;
  bool has_register_types() const;
  // Ascending by offset.
  std::span<const AttributeType> attribute_types() const;
  // The type code of the attribute at an offset, if the section is there and knows it.
  std::optional<TypeCode> FindAttributeType(uint32_t offset) const;
  // Names of the attributes of all kernels of a function, in kernel and attribute order. Empty for
  // natives and without the section.
  std::vector<std::string_view> AttributeNames(uint32_t function) const;
  // Type ids of a function's registers; empty for natives and without the section.
  std::vector<uint32_t> RegisterTypes(uint32_t function) const;

  // Section 64; empty if absent.
  const NonStrictMarks& nonstrict() const;
  // Section 65, decoded anew; empty if absent.
  Extras ReadExtras() const;
  // Section 66, decoded anew; empty if absent.
  Signatures ReadSignatures() const;
  // Section 67; empty if absent. Their bytes are those of the file.
  std::span<const Weight> weights() const;

 private:
  friend class BefVerifier;
  struct Tables;
  explicit BefView(std::unique_ptr<Tables> tables);
  std::unique_ptr<Tables> tables_;
};

}  // namespace tfrt::bef

#endif  // TFRT_BEF_BEF_READER_H_
