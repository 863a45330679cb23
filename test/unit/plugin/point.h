// A type that a host and its plug-ins share. POINT_LAYOUT: 0 is the host's layout; the others are
// those of plug-ins that were compiled against another version of it.
#ifndef TFRT_TEST_UNIT_PLUGIN_POINT_H_
#define TFRT_TEST_UNIT_PLUGIN_POINT_H_

#include <cstdint>

#ifndef POINT_LAYOUT
#define POINT_LAYOUT 0
#endif

namespace plugin_test {

#if POINT_LAYOUT == 2
struct alignas(16) Point {
#else
struct Point {
#endif
  int64_t x;
  int64_t y;
#if POINT_LAYOUT == 1
  int64_t z;
#endif
};

// Ordinary types, whatever they are called.
struct anonymous_point {
  Point point;
};

}  // namespace plugin_test

#endif  // TFRT_TEST_UNIT_PLUGIN_POINT_H_
