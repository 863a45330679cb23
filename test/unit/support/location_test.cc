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

}  // namespace
}  // namespace tfrt
