#include "tfrt/bef/location_encoder.h"

#include <algorithm>
#include <utility>

namespace tfrt::bef {

LocationValue UnknownLocation() { return {}; }

LocationValue UnsupportedLocation() {
  LocationValue value;
  value.unsupported = true;
  return value;
}

LocationValue FileLocation(std::string file, uint32_t line, uint32_t column) {
  LocationValue value;
  value.kind = LocationKind::kFileLineColumn;
  value.text = std::move(file);
  value.line = line;
  value.column = column;
  return value;
}

LocationValue NameLocation(std::string name, LocationValue child) {
  LocationValue value;
  value.kind = LocationKind::kName;
  value.text = std::move(name);
  value.children.push_back(std::move(child));
  return value;
}

LocationValue CallSiteLocation(LocationValue callee, LocationValue caller) {
  LocationValue value;
  value.kind = LocationKind::kCallSite;
  value.children.push_back(std::move(callee));
  value.children.push_back(std::move(caller));
  return value;
}

LocationValue FusedLocation(std::vector<LocationValue> parts) {
  LocationValue value;
  value.kind = LocationKind::kFused;
  value.children = std::move(parts);
  return value;
}

namespace {

// Number of levels; more than kMaxLocationDepth is not counted further.
int Depth(const LocationValue& location, int limit) {
  if (limit == 0) return 1;
  int deepest = 0;
  for (const LocationValue& child : location.children) {
    deepest = std::max(deepest, Depth(child, limit - 1));
  }
  return deepest + 1;
}

bool IsUnsupported(const LocationValue& location) {
  if (location.unsupported) return true;
  if (location.kind != LocationKind::kCallSite && location.kind != LocationKind::kFused) {
    return false;
  }
  return std::all_of(location.children.begin(), location.children.end(), IsUnsupported);
}

}  // namespace

uint32_t LocationEncoder::Add(const LocationValue& location) {
  if (Depth(location, kMaxLocationDepth) > kMaxLocationDepth || IsUnsupported(location)) {
    return next_virtual_--;
  }
  uint32_t offset = static_cast<uint32_t>(locations_.size());
  Emit(location);
  return offset;
}

void LocationEncoder::Emit(const LocationValue& location) {
  // Fused locations leave unsupported parts out; elsewhere such a part is written as unknown.
  LocationKind kind = IsUnsupported(location) ? LocationKind::kUnknown : location.kind;
  locations_.EmitByte(static_cast<uint8_t>(kind));
  switch (kind) {
    case LocationKind::kUnknown:
      return;
    case LocationKind::kFileLineColumn:
      locations_.EmitVbr(AddString(location.text));
      locations_.EmitVbr(location.line);
      locations_.EmitVbr(location.column);
      return;
    case LocationKind::kName:
      locations_.EmitVbr(AddString(location.text));
      break;
    case LocationKind::kCallSite:
      break;
    case LocationKind::kFused: {
      const std::vector<LocationValue>& parts = location.children;
      locations_.EmitVbr(std::count_if(parts.begin(), parts.end(),
                                       [](const LocationValue& v) { return !IsUnsupported(v); }));
      for (const LocationValue& part : parts) {
        if (!IsUnsupported(part)) Emit(part);
      }
      return;
    }
  }
  for (const LocationValue& child : location.children) Emit(child);
}

uint32_t LocationEncoder::AddString(std::string_view text) {
  text = text.substr(0, text.find('\0'));  // the format cannot hold what follows
  auto [it, added] =
      string_offsets_.emplace(std::string(text), static_cast<uint32_t>(strings_.size()));
  if (added) {
    strings_.EmitBytes(text);
    strings_.EmitByte(0);
  }
  return it->second;
}

}  // namespace tfrt::bef
