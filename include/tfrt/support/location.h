// Source locations as plain data. Location is the cheap handle that an execution carries;
// DecodedLocation is the form that a diagnostic prints.
#ifndef TFRT_SUPPORT_LOCATION_H_
#define TFRT_SUPPORT_LOCATION_H_

#include <atomic>
#include <bit>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

namespace tfrt {

// Either file:line:column (1-based, `name` empty) or a text that names the place (`file` empty).
// Both are empty if the location is unknown.
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
class LocationHandler;

namespace internal {

// Makes a component that keeps locations for longer forget those of a handler that is about to be
// destroyed. Set once by that component; null if no component keeps locations.
extern std::atomic<void (*)(const LocationHandler&)> forget_locations;

}  // namespace internal

// Decodes the locations it issued; a loaded BEF file is one. Must outlive its Locations, except
// those that `Retire` has made forgotten.
class LocationHandler {
 public:
  virtual ~LocationHandler() = default;
  virtual DecodedLocation DecodeLocation(uint64_t data) const = 0;
  // Returns the names in the location, for debug output, or nullopt if it has none.
  virtual std::optional<std::string> DebugInfo(uint64_t data) const { return std::nullopt; }

 protected:
  // Must be called first in the destructor of a handler that is destroyed before the process ends.
  // Commands that a device has not run yet keep locations.
  void Retire() const {
    // acquire: this thread sees what the setter made before.
    if (auto* forget = internal::forget_locations.load(std::memory_order_acquire)) forget(*this);
  }
};

namespace internal {

// Decodes places in C++. The data are the bits of a source_location, a pointer to constant data.
class SourceLocations final : public LocationHandler {
 public:
  constexpr SourceLocations() {}
  constexpr ~SourceLocations() override {}  // written out: g++ 12 uses the implicit one before it
                                            // exists
  DecodedLocation DecodeLocation(uint64_t data) const override;
};
extern const SourceLocations kSourceLocations;

}  // namespace internal

// An undecoded location: two words, copied freely. The default one is unknown.
//
// Where a call may fail, it is the last parameter, so that messages name the caller's line:
//   Tensor Relu(TensorArgument x, Location where = Here());
// A frontend of another language passes one of its own (LocationTable).
class Location {
 public:
  Location() = default;
  Location(const LocationHandler* handler, uint64_t data) : handler_(handler), data_(data) {}
#ifdef __cpp_lib_source_location
  Location(std::source_location where)  // NOLINT: implicit by design
      : handler_(&internal::kSourceLocations), data_(std::bit_cast<uint64_t>(where)) {}
#endif

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

#ifdef __cpp_lib_source_location
// The caller's place; as the default of a parameter that of the function's caller.
constexpr std::source_location Here(std::source_location here = std::source_location::current()) {
  return here;
}
#endif

}  // namespace tfrt

#endif  // TFRT_SUPPORT_LOCATION_H_
