// The Locations section: checked once, then decoded on demand.
#ifndef TFRT_LIB_FORMAT_BEF_LOCATION_READER_H_
#define TFRT_LIB_FORMAT_BEF_LOCATION_READER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bef_reader.h"
#include "byte_reader.h"
#include "string_table.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

class LocationReader {
 public:
  // Checks that `locations` is a sequence of whole locations.
  Status Open(std::span<const uint8_t> strings, std::span<const uint8_t> locations);

  // Whether a function or kernel may name this offset: a location starts there or it is virtual.
  bool IsValid(uint32_t offset) const;
  // The same, faster for offsets that are asked for in ascending order with one hint.
  struct Hint {
    size_t next = 0;
  };
  bool IsValid(uint32_t offset, Hint* hint) const;

  BefView::LocationNode Read(uint32_t offset) const;
  DecodedLocation Decode(uint32_t offset) const;
  std::optional<std::string> DebugInfo(uint32_t offset) const;

 private:
  bool SkipSimple(ByteReader* in) const;
  Status CheckOne(ByteReader* in) const;
  // Whether a location that is checked starts at `offset`; false for virtual ones.
  bool Starts(uint32_t offset) const;
  // These read checked locations. ReadHead reads all of one but its children, and returns their
  // number.
  uint32_t ReadHead(ByteReader* in, BefView::LocationNode* node) const;
  void ReadOne(ByteReader* in, BefView::LocationNode* node) const;
  // Appends at least as much of the text as is kept of it.
  void AppendText(ByteReader* in, std::string* out) const;

  StringTable strings_;
  std::span<const uint8_t> locations_;
  std::vector<uint32_t> starts_;  // ascending
};

}  // namespace tfrt::bef

#endif  // TFRT_LIB_FORMAT_BEF_LOCATION_READER_H_
