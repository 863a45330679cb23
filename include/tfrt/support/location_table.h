// LocationTable: Locations of files that are not C++.
#ifndef TFRT_SUPPORT_LOCATION_TABLE_H_
#define TFRT_SUPPORT_LOCATION_TABLE_H_

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

#include "tfrt/support/location.h"

namespace tfrt {

// Holds places that a program learns at run time: files and lines of a script, names of layers.
// Keeps each place once, until destruction. Thread-safe. Must outlive its Locations.
class LocationTable final : public LocationHandler {
 public:
  LocationTable() = default;
  ~LocationTable() override { Retire(); }
  LocationTable(const LocationTable&) = delete;
  LocationTable& operator=(const LocationTable&) = delete;

  // Returns the location of a place. Column 0: unknown.
  Location Add(std::string_view file, uint32_t line, uint32_t column = 0);
  DecodedLocation DecodeLocation(uint64_t data) const override;

 private:
  using FilePosition = std::tuple<std::string, uint32_t, uint32_t>;
  mutable std::mutex mutex_;
  std::map<FilePosition, uint64_t> numbers_;  // under mutex_
  std::deque<const FilePosition*> places_;    // by number; under mutex_
};

}  // namespace tfrt

#endif  // TFRT_SUPPORT_LOCATION_TABLE_H_
