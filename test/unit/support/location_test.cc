#include "tfrt/support/location.h"

#include <gtest/gtest.h>

namespace tfrt {
namespace {

class FakeHandler : public LocationHandler {
 public:
  DecodedLocation DecodeLocation(uint64_t data) const override {
    return {"f.mlir", static_cast<uint32_t>(data), 2, ""};
  }
};

TEST(LocationTest, DecodesThroughItsHandler) {
  FakeHandler handler;
  Location location(&handler, 9);
  EXPECT_TRUE(location);
  EXPECT_EQ(location.Decode().ToString(), "f.mlir:9:2");
  EXPECT_EQ(location.DebugInfo(), std::nullopt);
}

TEST(LocationTest, UnknownAndNamed) {
  EXPECT_FALSE(Location());
  EXPECT_EQ(Location().Decode().ToString(), "<unknown>");
  EXPECT_EQ((DecodedLocation{"", 0, 0, "here"}).ToString(), "here");
}

uint32_t LineOf(Location where = Here()) { return where.Decode().line; }

TEST(LocationTest, PlacesInCpp) {
  Location here = Here();
  DecodedLocation decoded = here.Decode();
  EXPECT_TRUE(decoded.file.ends_with("location_test.cc")) << decoded.file;
  EXPECT_EQ(decoded.line, static_cast<uint32_t>(__LINE__ - 3));
  EXPECT_GT(decoded.column, 0u);
  EXPECT_EQ(LineOf(), static_cast<uint32_t>(__LINE__));  // the caller's
}

}  // namespace
}  // namespace tfrt
