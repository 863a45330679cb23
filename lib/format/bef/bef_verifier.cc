// BefView::Open: reads every section once, in an order in which each check has what it needs.

#include <algorithm>
#include <cassert>
#include <map>
#include <string>
#include <utility>

#include "attribute_reader.h"
#include "bef_reader.h"
#include "bef_tables.h"
#include "byte_reader.h"
#include "extras_verifier.h"
#include "function_decoder.h"
#include "signatures_verifier.h"
#include "tfrt/support/str_cat.h"
#include "weights_reader.h"

namespace tfrt::bef {

class BefVerifier {
 public:
  BefVerifier(std::span<const uint8_t> file, std::string* detail)
      : tables_(std::make_unique<BefView::Tables>()), t_(*tables_), detail_(detail) {
    t_.file = file;
  }

  StatusOr<BefView> Run() {
    TFRT_RETURN_IF_ERROR(ReadHeader());
    TFRT_RETURN_IF_ERROR(ReadSections());
    TFRT_RETURN_IF_ERROR(ReadStrings());
    TFRT_RETURN_IF_ERROR(ReadNames(SectionId::kKernels, &t_.kernel_names));
    TFRT_RETURN_IF_ERROR(ReadNames(SectionId::kTypes, &t_.type_names));
    TFRT_RETURN_IF_ERROR(ReadFunctionIndex());
    TFRT_RETURN_IF_ERROR(
        t_.locations.Open(Find(SectionId::kLocationStrings), Find(SectionId::kLocations)));
    TFRT_RETURN_IF_ERROR(ReadAttributeTypes());
    TFRT_RETURN_IF_ERROR(ReadOwnSections());
    TFRT_RETURN_IF_ERROR(CheckFunctions());
    TFRT_RETURN_IF_ERROR(CheckAttributeNames());
    TFRT_RETURN_IF_ERROR(CheckRegisterTypes());
    return BefView(std::move(tables_));
  }

 private:
  using Bytes = std::span<const uint8_t>;

  // An error with a message that the language fixes; what exactly is wrong goes into the detail.
  template <typename... Pieces>
  Status Fixed(std::string_view message, const Pieces&... detail) {
    return FixedError(message, {StrPiece(detail)...});
  }
  Status FixedError(std::string_view message, std::initializer_list<StrPiece> detail) {
    if (detail_) *detail_ = ConcatPieces(detail);
    return InvalidArgumentError(std::string(message));
  }
  // An error of a section whose message is ours.
  template <typename... Pieces>
  static Status Invalid(SectionId id, const Pieces&... reason) {
    return SectionError(id, {StrPiece(reason)...});
  }
  static Status SectionError(SectionId id, std::initializer_list<StrPiece> reason) {
    return InvalidArgumentError(
        StrCat("invalid ", SectionName(id), " section in BEF file: ", ConcatPieces(reason)));
  }
  Status Trailing(SectionId id, const ByteReader& in) {
    return Fixed("unexpected data in BEF section", in.remaining(),
                 " bytes behind the end of section ", SectionName(id));
  }

  Bytes Find(SectionId id) const {
    auto it = sections_.find(id);
    return it == sections_.end() ? Bytes() : it->second;
  }
  bool Has(SectionId id) const { return sections_.count(id) > 0; }

  Status ReadHeader();
  Status ReadSections();
  Status ReadSection(ByteReader* in);
  Status ReadStrings();
  Status ReadNames(SectionId id, std::vector<std::string_view>* names);
  Status ReadFunctionIndex();
  Status ReadIndexEntry(ByteReader* in, FunctionInfo* info);
  bool ReadTypeIds(ByteReader* in, std::span<const uint32_t>* types);
  Status ReadAttributeTypes();
  Status ReadOwnSections();
  Status CheckFunctions();
  Status CheckBody(uint32_t function, size_t* end);
  Status CheckOffsets(uint32_t function, const FunctionDecoder& body);
  Status CheckOwnSections(uint32_t function, const FunctionDecoder* body);  // null: native
  Status BodyError(uint32_t function, std::string_view reason);
  Status CheckAttributeNames();
  Status CheckRegisterTypes();

  std::unique_ptr<BefView::Tables> tables_;
  BefView::Tables& t_;
  std::string* const detail_;
  std::map<SectionId, Bytes> sections_;
  std::vector<ExtrasEntry> extras_;
  // The next entries of sections 64 and 65 for CheckOwnSections.
  size_t next_nonstrict_ = 0;
  size_t next_extras_ = 0;
};

StatusOr<BefView> BefView::Open(std::span<const uint8_t> file, std::string* detail) {
  if (detail) detail->clear();
  return BefVerifier(file, detail).Run();
}

Status BefVerifier::ReadHeader() {
  if (reinterpret_cast<uintptr_t>(t_.file.data()) % kFileAlignment != 0) {
    return Fixed("The BEF file memory should be aligned by 8");
  }
  if (t_.file.size() < 3 || t_.file[0] != kMagic0 || t_.file[1] != kMagic1) {
    return Fixed("invalid BEF file header detected", "the file (", t_.file.size(),
                 " bytes) does not begin with 0b ef and a version");
  }
  if (t_.file[2] != kVersion0) {
    return Fixed("Unknown BEF format version detected", "version ", int{t_.file[2]},
                 "; this reader knows version 0");
  }
  return OkStatus();
}

Status BefVerifier::ReadSections() {
  ByteReader in(t_.file, 3);
  while (!in.empty()) TFRT_RETURN_IF_ERROR(ReadSection(&in));
  for (SectionId id : {SectionId::kStrings, SectionId::kAttributes}) {
    if (!Has(id)) return Invalid(id, "the file has none");
  }
  t_.attributes = Find(SectionId::kAttributes);
  t_.function_bodies = Find(SectionId::kFunctions);
  t_.attribute_names = Find(SectionId::kAttributeNames);
  t_.register_types = Find(SectionId::kRegisterTypes);
  t_.has_attribute_types = Has(SectionId::kAttributeTypes);
  t_.has_attribute_names = Has(SectionId::kAttributeNames);
  t_.has_register_types = Has(SectionId::kRegisterTypes);
  return OkStatus();
}

Status BefVerifier::ReadSection(ByteReader* in) {
  size_t start = in->position();
  auto corrupted = [&](std::string_view reason) {
    return Fixed("BEF file section header corrupted", "section header at byte ", start, " of ",
                 t_.file.size(), ": ", reason);
  };
  uint8_t id_byte = 0;
  uint64_t length;
  if (!in->ReadByte(&id_byte) || !in->ReadVbr(&length)) return corrupted("the length is damaged");
  if (length & 1) {
    uint8_t alignment;
    if (!in->ReadByte(&alignment)) return corrupted("the alignment is missing");
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
      return corrupted(StrCat("the alignment ", int{alignment}, " is not a power of two"));
    }
    size_t padding = (alignment - in->position() % alignment) % alignment;
    if (!in->Skip(padding)) return corrupted("the padding is cut off");
  }
  length >>= 1;
  if (length > in->remaining()) {
    return corrupted(StrCat("length ", length, " but ", in->remaining(), " bytes remain"));
  }
  SectionId id = static_cast<SectionId>(id_byte);
  if (length > kMaxSectionBytes && id != SectionId::kWeights) {
    return corrupted(StrCat("length ", length, " is more than ", kMaxSectionBytes));
  }
  Bytes payload = t_.file.subspan(in->position(), length);
  [[maybe_unused]] bool skipped = in->Skip(length);
  assert(skipped && "the length has been checked");
  if (SectionName(id) == "unknown") return OkStatus();
  if (!sections_.emplace(id, payload).second) {
    return corrupted(StrCat("section ", SectionName(id), " appears twice"));
  }
  return OkStatus();
}

Status BefVerifier::ReadStrings() {
  if (t_.strings.Open(Find(SectionId::kStrings))) return OkStatus();
  return Invalid(SectionId::kStrings, "the last string is not terminated");
}

// The Kernels and Types sections.
Status BefVerifier::ReadNames(SectionId id, std::vector<std::string_view>* names) {
  std::string message = StrCat("invalid ", SectionName(id), " section in BEF file");
  if (!Has(id)) return Fixed(message, "the file has none");
  ByteReader in(Find(id));
  uint32_t count;
  if (!in.ReadCount(&count)) return Fixed(message, "the count is damaged");
  names->reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t offset;
    std::string_view name;
    if (!in.ReadVbr32(&offset)) return Fixed(message, "entry ", i, " of ", count, " is cut off");
    if (!t_.strings.Find(offset, &name)) {
      return Fixed(message, "entry ", i, " names no string (offset ", offset, ")");
    }
    names->push_back(name);
  }
  return in.empty() ? OkStatus() : Trailing(id, in);
}

namespace {
constexpr std::string_view kIndexMessage =
    "invalid FunctionIndex section in BEF file: Failed to read the FunctionIndex section";
}  // namespace

Status BefVerifier::ReadFunctionIndex() {
  if (!Has(SectionId::kFunctionIndex)) return Fixed(kIndexMessage, "the file has none");
  ByteReader in(Find(SectionId::kFunctionIndex));
  constexpr size_t kMinEntrySize = 5;  // kind, two offsets, two counts
  uint32_t count;
  if (!in.ReadCount(&count, kMinEntrySize)) return Fixed(kIndexMessage, "the count is damaged");
  // The bytes that entries do not need have room for this many type ids. So the pool is never
  // moved.
  t_.type_pool.reserve(in.remaining() - count * kMinEntrySize);
  t_.functions.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    FunctionInfo& info = t_.functions[i];
    if (Status status = ReadIndexEntry(&in, &info); !status.ok()) {
      return Fixed(kIndexMessage, "function ", i, " of ", count, ": ", status.message());
    }
    if (!ReadTypeIds(&in, &info.argument_types) || !ReadTypeIds(&in, &info.result_types)) {
      return Fixed(kIndexMessage, "function ", i, " of ", count,
                   ": a type id is damaged or not below ", t_.type_names.size());
    }
  }
  return in.empty() ? OkStatus() : Trailing(SectionId::kFunctionIndex, in);
}

Status BefVerifier::ReadIndexEntry(ByteReader* in, FunctionInfo* info) {
  uint8_t kind;
  uint32_t name_offset;
  if (!in->ReadByte(&kind)) return InvalidArgumentError("it is cut off");
  if (kind > static_cast<uint8_t>(FunctionKind::kSync)) {
    return InvalidArgumentError(StrCat("unknown kind ", int{kind}));
  }
  info->kind = static_cast<FunctionKind>(kind);
  if (!in->ReadVbr32(&info->body_offset) || !in->ReadVbr32(&name_offset)) {
    return InvalidArgumentError("it is cut off");
  }
  if (!t_.strings.Find(name_offset, &info->name)) {
    return InvalidArgumentError(StrCat("its name is no string (offset ", name_offset, ")"));
  }
  return OkStatus();
}

bool BefVerifier::ReadTypeIds(ByteReader* in, std::span<const uint32_t>* types) {
  uint32_t count;
  const size_t begin = t_.type_pool.size();
  // More ids than the pool has room for leave too few bytes for the entries that follow.
  if (!in->ReadCount(&count) || count > t_.type_pool.capacity() - begin) return false;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t id;
    if (!in->ReadVbr32(&id) || id >= t_.type_names.size()) return false;
    t_.type_pool.push_back(id);
  }
  *types = std::span<const uint32_t>(t_.type_pool).subspan(begin);
  return true;
}

// Attributes lie one behind the other in the order of this table.
Status BefVerifier::ReadAttributeTypes() {
  constexpr SectionId kId = SectionId::kAttributeTypes;
  if (!t_.has_attribute_types) return OkStatus();
  ByteReader in(Find(kId));
  uint32_t count;
  if (!in.ReadCount(&count, /*size=*/2)) return Invalid(kId, "the count is damaged");
  t_.attribute_types.reserve(count);
  uint32_t end = 0;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t offset, code;
    if (!in.ReadVbr32(&offset) || !in.ReadVbr32(&code) || code > 255) {
      return Invalid(kId, "entry ", i, " of ", count, " is damaged");
    }
    if (offset < end) {
      return Invalid(kId, "attribute ", i, " at offset ", offset,
                     " begins before the end of the one ", "before it (", end, ")");
    }
    StatusOr<uint32_t> next = VerifyAttribute(t_.attributes, offset, static_cast<TypeCode>(code));
    if (!next.ok()) return Invalid(SectionId::kAttributes, next.status().message());
    end = *next;
    t_.attribute_types.push_back({offset, static_cast<TypeCode>(code)});
  }
  return in.empty() ? OkStatus() : Trailing(kId, in);
}

Status BefVerifier::ReadOwnSections() {
  if (Has(SectionId::kNonStrict)) {
    TFRT_ASSIGN_OR_RETURN(t_.nonstrict, DecodeNonStrict(Find(SectionId::kNonStrict)));
  }
  if (Has(SectionId::kExtras)) {
    t_.extras = Find(SectionId::kExtras);
    TFRT_ASSIGN_OR_RETURN(extras_, VerifyExtras(t_.extras));
  }
  if (Has(SectionId::kSignatures)) {
    t_.signatures = Find(SectionId::kSignatures);
    TFRT_RETURN_IF_ERROR(VerifySignatures(t_.signatures, t_.functions));
  }
  if (Has(SectionId::kWeights)) {
    Bytes payload = Find(SectionId::kWeights);
    auto position = static_cast<uint64_t>(payload.data() - t_.file.data());
    Status status = ReadWeights(payload, position, &t_.weights);
    if (!status.ok()) return Invalid(SectionId::kWeights, status.message());
  }
  return OkStatus();
}

// Bodies lie one behind the other in the order of the index, so that all of them together are
// checked in linear time.
Status BefVerifier::CheckFunctions() {
  constexpr std::string_view kMessage = "invalid Function section in BEF file";
  if (!Has(SectionId::kFunctions)) return Fixed(kMessage, "the file has none");
  if (reinterpret_cast<uintptr_t>(t_.function_bodies.data()) % 4 != 0 &&
      !t_.function_bodies.empty()) {
    return Fixed(kMessage, "the section is not aligned by 4");
  }
  t_.counts.resize(t_.functions.size());
  size_t end = 0;
  for (uint32_t i = 0; i < t_.functions.size(); ++i) {
    const FunctionInfo& info = t_.functions[i];
    bool native = info.kind == FunctionKind::kNative;
    size_t size = t_.function_bodies.size();
    if (info.body_offset < end || info.body_offset > size ||
        (!native && info.body_offset == size)) {
      return Fixed(StrCat("invalid FunctionIndex section in BEF file: Invalid offset found for ",
                          info.kind == FunctionKind::kSync ? "Sync" : "", "BEFFunction"),
                   "function ", i, " ('", info.name, "') has offset ", info.body_offset,
                   " in a section of ", size, " bytes, where the body before it ends at ", end);
    }
    if (native) {
      TFRT_RETURN_IF_ERROR(CheckOwnSections(i, nullptr));
    } else {
      TFRT_RETURN_IF_ERROR(CheckBody(i, &end));
    }
  }
  if (next_nonstrict_ < t_.nonstrict.size()) {
    return Invalid(SectionId::kNonStrict, "function ", t_.nonstrict[next_nonstrict_].function,
                   " of ", t_.functions.size());
  }
  if (next_extras_ < extras_.size()) {
    return Invalid(SectionId::kExtras, "function ", extras_[next_extras_].function, " of ",
                   t_.functions.size());
  }
  return OkStatus();
}

Status BefVerifier::CheckBody(uint32_t function, size_t* end) {
  FunctionDecoder decoder(t_.function_bodies, t_.functions[function], t_.kernel_names.size(),
                          t_.functions.size());
  Status status = decoder.Check();
  if (!status.ok()) return BodyError(function, status.message());
  *end = decoder.end();
  BefView::Tables::FunctionCounts& counts = t_.counts[function];
  counts.num_kernels = static_cast<uint32_t>(decoder.num_kernels() + 1);
  counts.num_registers = static_cast<uint32_t>(decoder.num_registers());
  status = CheckOffsets(function, decoder);
  if (!status.ok()) return BodyError(function, status.message());
  return CheckOwnSections(function, &decoder);
}

Status BefVerifier::BodyError(uint32_t function, std::string_view reason) {
  const FunctionInfo& info = t_.functions[function];
  if (info.kind == FunctionKind::kSync) {
    return InvalidArgumentError(
        StrCat("invalid FunctionIndex section in BEF file: Invalid SyncBEFFunction(", reason, ")"));
  }
  return Fixed("invalid Function section in BEF file", "function ", function, " ('", info.name,
               "'): ", reason);
}

// Attribute and location offsets. Also counts the attributes.
Status BefVerifier::CheckOffsets(uint32_t function, const FunctionDecoder& body) {
  auto starts = [&](uint32_t offset) {
    const auto& types = t_.attribute_types;
    if (!t_.has_attribute_types) return offset < t_.attributes.size();
    auto it = std::lower_bound(types.begin(), types.end(), offset,
                               [](const auto& type, uint32_t o) { return type.offset < o; });
    return it != types.end() && it->offset == offset;
  };
  if (!t_.locations.IsValid(body.location())) {
    return InvalidArgumentError(
        StrCat("its location offset ", body.location(), " is not that of a location"));
  }
  LocationReader::Hint hint;  // locations usually ascend
  uint32_t& num_attributes = t_.counts[function].num_attributes;
  for (size_t k = 0; k < body.num_kernels(); ++k) {
    DecodedKernel kernel = body.kernel(k);
    num_attributes += static_cast<uint32_t>(kernel.attributes().size());
    if (!t_.locations.IsValid(kernel.location(), &hint)) {
      return InvalidArgumentError(StrCat("kernel ", k + 1, " has location offset ",
                                         kernel.location(), ", which is not that of a location"));
    }
    for (uint32_t offset : kernel.attributes()) {
      if (starts(offset)) continue;
      return InvalidArgumentError(StrCat("kernel ", k + 1, " has attribute offset ", offset,
                                         ", which is not that of an attribute (section of ",
                                         t_.attributes.size(), " bytes)"));
    }
  }
  return OkStatus();
}

// Checks the entries of sections 64 and 65 for a function. Both are ascending by function.
Status BefVerifier::CheckOwnSections(uint32_t function, const FunctionDecoder* body) {
  size_t num_kernels = body ? body->num_kernels() : 0;
  if (next_nonstrict_ < t_.nonstrict.size() && t_.nonstrict[next_nonstrict_].function == function) {
    uint32_t last = t_.nonstrict[next_nonstrict_++].kernels.back();
    if (last >= num_kernels) {
      return Invalid(SectionId::kNonStrict, "function ", function, " has no kernel ", last, " (",
                     num_kernels, " kernels)");
    }
  }
  for (; next_extras_ < extras_.size() && extras_[next_extras_].function == function;
       ++next_extras_) {
    const ExtrasEntry& entry = extras_[next_extras_];
    if (entry.kernel == ExtrasEntry::kFunctionItself) continue;
    if (entry.kernel >= num_kernels) {
      return Invalid(SectionId::kExtras, "function ", function, " has no kernel ", entry.kernel,
                     " (", num_kernels, " kernels)");
    }
    size_t available = body->kernel(entry.kernel).functions().size();
    if (entry.num_symbols > available) {
      return Invalid(SectionId::kExtras, "kernel ", entry.kernel, " of function ", function,
                     " has ", available, " functions, not ", entry.num_symbols);
    }
  }
  return OkStatus();
}

Status BefVerifier::CheckAttributeNames() {
  constexpr SectionId kId = SectionId::kAttributeNames;
  if (!t_.has_attribute_names) return OkStatus();
  ByteReader in(t_.attribute_names);
  uint32_t count;
  if (!in.ReadVbr32(&count) || count != t_.functions.size()) {
    return Invalid(kId, "the number of functions is not ", t_.functions.size());
  }
  for (uint32_t f = 0; f < count; ++f) {
    BefView::Tables::FunctionCounts& counts = t_.counts[f];
    if (counts.num_kernels == 0) continue;  // native
    uint32_t num_kernels;
    if (!in.ReadVbr32(&num_kernels) || num_kernels != counts.num_kernels) {
      return Invalid(kId, "the number of kernels of function ", f, " is not ", counts.num_kernels);
    }
    counts.names_position = static_cast<uint32_t>(in.position());
    for (uint32_t i = 0; i < counts.num_attributes; ++i) {
      uint32_t offset;
      std::string_view name;
      if (!in.ReadVbr32(&offset) || !t_.strings.Find(offset, &name)) {
        return Invalid(kId, "name ", i, " of ", counts.num_attributes, " in function ", f,
                       " is not that of a string");
      }
    }
  }
  return in.empty() ? OkStatus() : Trailing(kId, in);
}

Status BefVerifier::CheckRegisterTypes() {
  constexpr SectionId kId = SectionId::kRegisterTypes;
  if (!t_.has_register_types) return OkStatus();
  ByteReader in(t_.register_types);
  uint32_t count;
  if (!in.ReadVbr32(&count) || count != t_.functions.size()) {
    return Invalid(kId, "the number of functions is not ", t_.functions.size());
  }
  for (uint32_t f = 0; f < count; ++f) {
    BefView::Tables::FunctionCounts& counts = t_.counts[f];
    if (counts.num_kernels == 0) continue;  // native
    uint32_t num_registers;
    if (!in.ReadVbr32(&num_registers) || num_registers != counts.num_registers) {
      return Invalid(kId, "the number of registers of function ", f, " is not ",
                     counts.num_registers);
    }
    counts.types_position = static_cast<uint32_t>(in.position());
    for (uint32_t i = 0; i < num_registers; ++i) {
      uint32_t type;
      if (!in.ReadVbr32(&type) || type >= t_.type_names.size()) {
        return Invalid(kId, "type ", i, " of ", num_registers, " in function ", f,
                       " is not one of ", t_.type_names.size(), " types");
      }
    }
  }
  return in.empty() ? OkStatus() : Trailing(kId, in);
}

}  // namespace tfrt::bef
