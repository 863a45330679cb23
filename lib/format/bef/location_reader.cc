#include "location_reader.h"

#include <algorithm>
#include <cassert>

#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

using Node = BefView::LocationNode;

// Decoded texts are cut here: names may be long and may be named many times.
constexpr size_t kMaxTextSize = 64 * 1024;

std::string CutText(std::string text) {
  if (text.size() > kMaxTextSize) {
    text.resize(kMaxTextSize);
    text += "...";
  }
  return text;
}

}  // namespace

Status LocationReader::Open(std::span<const uint8_t> strings, std::span<const uint8_t> locations) {
  if (!strings_.Open(strings)) {
    return InvalidArgumentError(
        "invalid LocationStrings section in BEF file: the last string is not terminated");
  }
  locations_ = locations;
  ByteReader in(locations);
  while (!in.empty()) {
    starts_.push_back(static_cast<uint32_t>(in.position()));
    if (!SkipSimple(&in)) TFRT_RETURN_IF_ERROR(CheckOne(&in));
  }
  return OkStatus();
}

// Skips the kind that most locations are. Returns false, and leaves `in` as it was, for others and
// for damaged ones.
inline bool LocationReader::SkipSimple(ByteReader* in) const {
  ByteReader next = *in;
  uint8_t kind;
  uint32_t string_offset, line, column;
  std::string_view text;
  if (!next.ReadByte(&kind)) return false;
  if (kind != static_cast<uint8_t>(LocationKind::kUnknown) &&
      (kind != static_cast<uint8_t>(LocationKind::kFileLineColumn) ||
       !next.ReadVbr32(&string_offset) || !next.ReadVbr32(&line) || !next.ReadVbr32(&column) ||
       !strings_.Find(string_offset, &text))) {
    return false;
  }
  *in = next;
  return true;
}

Status LocationReader::CheckOne(ByteReader* in) const {
  size_t start = in->position();
  auto damaged = [&](std::string_view reason) {
    return InvalidArgumentError(StrCat("invalid Locations section in BEF file: the location at ",
                                       "offset ", start, " ", reason));
  };
  static_assert(kMaxLocationDepth <= 1000, "the levels lie on the stack");
  uint32_t open[kMaxLocationDepth + 1];  // per level: locations still to read
  size_t depth = 1;
  open[0] = 1;
  while (depth > 0) {
    if (open[depth - 1] == 0) {
      --depth;
      continue;
    }
    --open[depth - 1];
    uint8_t kind;
    uint32_t children = 0;
    if (!in->ReadByte(&kind)) return damaged("is cut off");
    if (kind > static_cast<uint8_t>(LocationKind::kFused)) {
      return damaged(StrCat("has the unknown kind ", int{kind}));
    }
    uint32_t string_offset, line, column;
    std::string_view text;
    switch (static_cast<LocationKind>(kind)) {
      case LocationKind::kUnknown:
        break;
      case LocationKind::kFileLineColumn:
      case LocationKind::kName:
        if (!in->ReadVbr32(&string_offset)) return damaged("is cut off");
        if (!strings_.Find(string_offset, &text)) {
          return damaged(StrCat("names no string (offset ", string_offset, ")"));
        }
        if (kind == static_cast<uint8_t>(LocationKind::kName)) {
          children = 1;
        } else if (!in->ReadVbr32(&line) || !in->ReadVbr32(&column)) {
          return damaged("is cut off");
        }
        break;
      case LocationKind::kCallSite:
        children = 2;
        break;
      case LocationKind::kFused:
        if (!in->ReadCount(&children)) return damaged("has more parts than bytes");
        break;
    }
    if (children == 0) continue;
    open[depth++] = children;
    if (depth > kMaxLocationDepth) {
      return damaged(StrCat("is nested more than ", kMaxLocationDepth, " deep"));
    }
  }
  return OkStatus();
}

bool LocationReader::IsValid(uint32_t offset) const {
  return offset >= kMinVirtualLocation ||
         std::binary_search(starts_.begin(), starts_.end(), offset);
}

bool LocationReader::IsValid(uint32_t offset, Hint* hint) const {
  if (hint->next < starts_.size() && starts_[hint->next] == offset) {
    ++hint->next;
    return true;
  }
  if (offset >= kMinVirtualLocation) return true;
  auto it = std::lower_bound(starts_.begin(), starts_.end(), offset);
  if (it == starts_.end() || *it != offset) return false;
  hint->next = static_cast<size_t>(it - starts_.begin()) + 1;
  return true;
}

bool LocationReader::Starts(uint32_t offset) const {
  return std::binary_search(starts_.begin(), starts_.end(), offset);
}

BefView::LocationNode LocationReader::Read(uint32_t offset) const {
  Node node;
  if (!Starts(offset)) {
    node.unsupported = true;
    return node;
  }
  ByteReader in(locations_, offset);
  ReadOne(&in, &node);
  return node;
}

uint32_t LocationReader::ReadHead(ByteReader* in, Node* node) const {
  uint8_t kind = 0;
  uint32_t children = 0;
  uint32_t string_offset = 0;
  // Open has checked all of this.
  bool ok = in->ReadByte(&kind);
  node->kind = static_cast<LocationKind>(kind);
  switch (node->kind) {
    case LocationKind::kUnknown:
      break;
    case LocationKind::kFileLineColumn:
      ok = ok && in->ReadVbr32(&string_offset) && strings_.Find(string_offset, &node->text) &&
           in->ReadVbr32(&node->line) && in->ReadVbr32(&node->column);
      break;
    case LocationKind::kName:
      ok = ok && in->ReadVbr32(&string_offset) && strings_.Find(string_offset, &node->text);
      children = 1;
      break;
    case LocationKind::kCallSite:
      children = 2;
      break;
    case LocationKind::kFused:
      ok = ok && in->ReadVbr32(&children);
      break;
  }
  assert(ok);
  (void)ok;
  return children;
}

void LocationReader::ReadOne(ByteReader* in, Node* node) const {
  node->children.resize(ReadHead(in, node));
  for (Node& child : node->children) ReadOne(in, &child);
}

// Without the tree, which may take many times the memory of the bytes that it is read from.
void LocationReader::AppendText(ByteReader* in, std::string* out) const {
  if (out->size() > kMaxTextSize) return;  // what follows is cut off: `in` may stay where it is
  Node node;
  const uint32_t children = ReadHead(in, &node);
  switch (node.kind) {
    case LocationKind::kUnknown:
      *out += "(unknown)";
      return;
    case LocationKind::kFileLineColumn:
      *out += StrCat(node.text, ";", node.line, ";", node.column);
      return;
    case LocationKind::kName: {
      Node child;
      ByteReader peek = *in;
      ReadHead(&peek, &child);
      if (child.kind == LocationKind::kUnknown) {
        *in = peek;
        *out += node.text;
        return;
      }
      AppendText(in, out);
      *out += StrCat("(", node.text, ")");
      return;
    }
    case LocationKind::kCallSite:
      AppendText(in, out);
      *out += "<-";
      AppendText(in, out);
      return;
    case LocationKind::kFused:
      for (uint32_t i = 0; i < children && out->size() <= kMaxTextSize; ++i) {
        if (i > 0) *out += ',';
        AppendText(in, out);
      }
      return;
  }
}

DecodedLocation LocationReader::Decode(uint32_t offset) const {
  DecodedLocation location;
  if (!Starts(offset)) {
    location.name = "(unknown)";
    return location;
  }
  ByteReader in(locations_, offset);
  Node node;
  ReadHead(&in, &node);
  if (node.kind == LocationKind::kFileLineColumn && !node.text.empty()) {
    location.file = node.text;
    location.line = node.line;
    location.column = node.column;
    return location;
  }
  in = ByteReader(locations_, offset);
  AppendText(&in, &location.name);
  location.name = CutText(std::move(location.name));
  return location;
}

std::optional<std::string> LocationReader::DebugInfo(uint32_t offset) const {
  if (!Starts(offset)) return std::nullopt;
  ByteReader in(locations_, offset);
  Node node, child;
  const uint32_t children = ReadHead(&in, &node);
  switch (node.kind) {
    case LocationKind::kName:
      return std::string(node.text);
    case LocationKind::kCallSite:
      ReadHead(&in, &child);
      if (child.kind != LocationKind::kName) return std::nullopt;
      return std::string(child.text);
    case LocationKind::kFused: {
      std::string names;
      for (uint32_t i = 0; i < children && names.size() <= kMaxTextSize; ++i) {
        ByteReader next = in;
        ReadHead(&next, &child);
        if (child.kind == LocationKind::kName) names += child.text;
        [[maybe_unused]] Status skipped = CheckOne(&in);
        assert(skipped.ok());
      }
      return CutText(std::move(names));
    }
    default:
      return std::nullopt;
  }
}

}  // namespace tfrt::bef
