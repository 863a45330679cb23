// Source locations as plain data. Location is the cheap handle that travels with an execution;
// DecodedLocation is what a diagnostic prints.
#ifndef TFRT_SUPPORT_LOCATION_H_
#define TFRT_SUPPORT_LOCATION_H_

#include <cstdint>
#include <optional>
#include <string>

namespace tfrt {

// Either file:line:column (1-based, `name` empty) or a text that names the place (`file` empty).
// Both empty: unknown.
struct DecodedLocation {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string name;

  bool is_file_location() const { return !file.empty(); }
  // "file:line:column", the name, or "<unknown>".
  std::string ToString() const;
};

class Location;

// Decodes the locations it issued; a loaded BEF file is one. Must outlive its Locations.
class LocationHandler {
 public:
  virtual ~LocationHandler() = default;
  virtual DecodedLocation DecodeLocation(uint64_t data) const = 0;
  // The names in the location, for debug output; empty optional: it has none.
  virtual std::optional<std::string> DebugInfo(uint64_t data) const { return std::nullopt; }
};

// An undecoded location: two words, copied freely. Default: unknown.
class Location {
 public:
  Location() = default;
  Location(const LocationHandler* handler, uint64_t data) : handler_(handler), data_(data) {}

  explicit operator bool() const { return handler_ != nullptr; }
  uint64_t data() const { return data_; }
  const LocationHandler* handler() const { return handler_; }
  DecodedLocation Decode() const {
    return handler_ ? handler_->DecodeLocation(data_) : DecodedLocation();
  }
  std::optional<std::string> DebugInfo() const {
    return handler_ ? handler_->DebugInfo(data_) : std::nullopt;
  }

 private:
  const LocationHandler* handler_ = nullptr;
  uint64_t data_ = 0;
};

}  // namespace tfrt

#endif  // TFRT_SUPPORT_LOCATION_H_
