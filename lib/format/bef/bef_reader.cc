#include "bef_reader.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "bef_tables.h"
#include "function_decoder.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::bef {

namespace {

// The next section, if its header can be read and it is whole.
bool ReadSection(ByteReader* in, SectionInfo* section) {
  section->header = in->position();
  uint8_t id, alignment = 1;
  uint64_t length;
  if (!in->ReadByte(&id) || !in->ReadVbr(&length)) return false;
  if ((length & 1) && (!in->ReadByte(&alignment) || alignment == 0)) return false;
  size_t padding = (alignment - in->position() % alignment) % alignment;
  if (!in->Skip(padding)) return false;
  section->id = static_cast<SectionId>(id);
  section->payload = in->position();
  section->size = static_cast<size_t>(length >> 1);
  return in->Skip(section->size);
}

}  // namespace

std::vector<SectionInfo> ListSections(std::span<const uint8_t> file) {
  std::vector<SectionInfo> sections;
  ByteReader start(file);
  if (!start.Skip(3)) return sections;
  SectionInfo section;
  size_t count = 0;
  for (ByteReader in = start; ReadSection(&in, &section);) ++count;
  sections.reserve(count);  // which growing would exceed by far where sections are empty
  for (ByteReader in = start; ReadSection(&in, &section);) sections.push_back(section);
  return sections;
}

BefView::BefView(std::unique_ptr<Tables> tables) : tables_(std::move(tables)) {}
BefView::BefView(BefView&&) noexcept = default;
BefView& BefView::operator=(BefView&&) noexcept = default;
BefView::~BefView() = default;

std::span<const uint8_t> BefView::file() const { return tables_->file; }
std::span<const std::string_view> BefView::kernel_names() const { return tables_->kernel_names; }
std::span<const std::string_view> BefView::type_names() const { return tables_->type_names; }
std::span<const FunctionInfo> BefView::functions() const { return tables_->functions; }
std::span<const uint8_t> BefView::attributes() const { return tables_->attributes; }

StatusOr<DecodedFunction> BefView::DecodeFunction(uint32_t function) const {
  if (function >= tables_->functions.size()) {
    return InvalidArgumentError(
        StrCat("function ", function, " of a BEF file with ", tables_->functions.size()));
  }
  const FunctionInfo& info = tables_->functions[function];
  if (info.kind == FunctionKind::kNative) {
    return InvalidArgumentError(StrCat("native function '", info.name, "' has no body"));
  }
  return FunctionDecoder(tables_->function_bodies, info, tables_->kernel_names.size(),
                         tables_->functions.size())
      .Decode();
}

DecodedLocation BefView::DecodeLocation(uint32_t location) const {
  return tables_->locations.Decode(location);
}
std::optional<std::string> BefView::DebugInfo(uint32_t location) const {
  return tables_->locations.DebugInfo(location);
}
BefView::LocationNode BefView::ReadLocation(uint32_t location) const {
  return tables_->locations.Read(location);
}

bool BefView::has_attribute_types() const { return tables_->has_attribute_types; }
bool BefView::has_attribute_names() const { return tables_->has_attribute_names; }
bool BefView::has_register_types() const { return tables_->has_register_types; }

std::span<const BefView::AttributeType> BefView::attribute_types() const {
  return tables_->attribute_types;
}

std::optional<TypeCode> BefView::FindAttributeType(uint32_t offset) const {
  const std::vector<AttributeType>& types = tables_->attribute_types;
  auto it = std::lower_bound(types.begin(), types.end(), offset,
                             [](const AttributeType& type, uint32_t o) { return type.offset < o; });
  if (it == types.end() || it->offset != offset) return std::nullopt;
  return it->code;
}

std::vector<std::string_view> BefView::AttributeNames(uint32_t function) const {
  const Tables::FunctionCounts& counts = tables_->counts[function];
  std::vector<std::string_view> names;
  if (!tables_->has_attribute_names) return names;
  ByteReader in(tables_->attribute_names, counts.names_position);
  names.reserve(counts.num_attributes);
  for (uint32_t i = 0; i < counts.num_attributes; ++i) {
    uint32_t offset;
    std::string_view name;
    if (in.ReadVbr32(&offset) && tables_->strings.Find(offset, &name)) names.push_back(name);
  }
  return names;
}

std::vector<uint32_t> BefView::RegisterTypes(uint32_t function) const {
  const Tables::FunctionCounts& counts = tables_->counts[function];
  std::vector<uint32_t> types;
  if (!tables_->has_register_types) return types;
  ByteReader in(tables_->register_types, counts.types_position);
  types.reserve(counts.num_registers);
  for (uint32_t i = 0; i < counts.num_registers; ++i) {
    uint32_t type;
    if (in.ReadVbr32(&type)) types.push_back(type);
  }
  return types;
}

const NonStrictMarks& BefView::nonstrict() const { return tables_->nonstrict; }

Extras BefView::ReadExtras() const {
  if (tables_->extras.empty()) return Extras();
  StatusOr<Extras> extras = DecodeExtras(tables_->extras);
  assert(extras.ok() && "Open has checked the section");
  return *std::move(extras);
}

Signatures BefView::ReadSignatures() const {
  if (tables_->signatures.empty()) return Signatures();
  StatusOr<Signatures> signatures = DecodeSignatures(tables_->signatures);
  assert(signatures.ok() && "Open has checked the section");
  return *std::move(signatures);
}

std::span<const Weight> BefView::weights() const { return tables_->weights.weights; }

}  // namespace tfrt::bef
