#include "gpu/libraries/library_choice.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tfrt::gpu {
namespace {

StatusOr<LibraryChoice> Choose(const char* value) {
  setenv("TFRT_GPU_LIBRARIES", value, /*overwrite=*/1);
  StatusOr<LibraryChoice> choice = LibraryChoiceFromEnvironment();
  unsetenv("TFRT_GPU_LIBRARIES");
  return choice;
}

TEST(LibraryChoiceTest, IsReadFromTheEnvironment) {
  EXPECT_EQ(LibraryChoiceFromEnvironment().value(), LibraryChoice::kWhereFound);
  EXPECT_EQ(Choose("").value(), LibraryChoice::kWhereFound);
  EXPECT_EQ(Choose("own").value(), LibraryChoice::kOwn);
  EXPECT_EQ(Choose("vendor").value(), LibraryChoice::kVendor);
}

TEST(LibraryChoiceTest, OtherWordsAreErrors) {
  const Status status = Choose("mine").status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "TFRT_GPU_LIBRARIES is 'mine', and should be own or vendor");
}

}  // namespace
}  // namespace tfrt::gpu
