// Source locations as plain data, and their bytes in LocationStrings and Locations.
#ifndef TFRT_BEF_LOCATION_ENCODER_H_
#define TFRT_BEF_LOCATION_ENCODER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/bef/bef_buffer.h"
#include "tfrt/bef/bef_format.h"

namespace tfrt::bef {

struct LocationValue {
  LocationKind kind = LocationKind::kUnknown;
  // The kind is one that v0 cannot express. Call site and fused locations whose parts are all
  // unsupported count as unsupported without the mark.
  bool unsupported = false;
  std::string text;  // file name, or name
  uint32_t line = 0;
  uint32_t column = 0;
  // Name: one child. Call site: callee, caller. Fused: the parts.
  std::vector<LocationValue> children;
};

LocationValue UnknownLocation();
LocationValue UnsupportedLocation();
LocationValue FileLocation(std::string file, uint32_t line, uint32_t column);
LocationValue NameLocation(std::string name, LocationValue child = {});
LocationValue CallSiteLocation(LocationValue callee, LocationValue caller);
LocationValue FusedLocation(std::vector<LocationValue> parts);

// Writes one location per function and op, in the order of the calls.
class LocationEncoder {
 public:
  // Appends a location and returns its offset, or a virtual offset for an unsupported one. A
  // location deeper than kMaxLocationDepth counts as unsupported.
  uint32_t Add(const LocationValue& location);

  // If false, the two sections are left out of the file.
  bool any() const { return locations_.size() > 0; }
  const Buffer& strings() const { return strings_; }
  const Buffer& locations() const { return locations_; }

 private:
  void Emit(const LocationValue& location);
  uint32_t AddString(std::string_view text);

  Buffer strings_;
  Buffer locations_;
  std::map<std::string, uint32_t, std::less<>> string_offsets_;
  uint32_t next_virtual_ = kFirstVirtualLocation;
};

}  // namespace tfrt::bef

#endif  // TFRT_BEF_LOCATION_ENCODER_H_
