#include "tfrt/support/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

TEST(StatusTest, OkIsEmpty) {
  EXPECT_EQ(sizeof(Status), sizeof(void*));
  EXPECT_TRUE(OkStatus().ok());
  EXPECT_EQ(OkStatus().ToString(), "OK");
  EXPECT_EQ(OkStatus().message(), "");
}

TEST(StatusTest, CopiesShareOneError) {
  Status error = InvalidArgumentError("too few");
  Status copy = error;
  EXPECT_EQ(copy.message().data(), error.message().data());
  EXPECT_EQ(copy.ToString(), "INVALID_ARGUMENT: too few");
  Status moved = std::move(error);
  EXPECT_EQ(moved, copy);
  moved = OkStatus();
  EXPECT_TRUE(moved.ok());
  EXPECT_EQ(copy.code(), StatusCode::kInvalidArgument);
}

TEST(StatusTest, CodeNames) {
  EXPECT_EQ(StatusCodeName(StatusCode::kCancelled), "CANCELLED");
  EXPECT_EQ(StatusCodeName(StatusCode::kUnauthenticated), "UNAUTHENTICATED");
  EXPECT_EQ(StatusCodeName(static_cast<StatusCode>(99)), "UNKNOWN");
}

StatusOr<int> Half(int value) {
  if (value % 2 != 0) return InvalidArgumentError(StrCat(value, " is odd"));
  return value / 2;
}
StatusOr<int> Quarter(int value) {
  TFRT_ASSIGN_OR_RETURN(int half, Half(value));
  return Half(half);
}
Status CheckEven(int value) {
  TFRT_RETURN_IF_ERROR(Half(value).status());
  return OkStatus();
}

TEST(StatusOrTest, ValueOrError) {
  EXPECT_EQ(*Quarter(12), 3);
  EXPECT_EQ(Quarter(6).status().message(), "3 is odd");
  EXPECT_TRUE(CheckEven(2).ok());
  EXPECT_FALSE(CheckEven(3).ok());
}

TEST(StatusOrTest, HoldsMoveOnlyTypes) {
  StatusOr<std::unique_ptr<int>> value = std::make_unique<int>(4);
  std::unique_ptr<int> taken = *std::move(value);
  EXPECT_EQ(*taken, 4);
  value = InternalError("gone");
  EXPECT_FALSE(value.ok());
}

TEST(StatusOrTest, OkIsNoError) {
  auto forgets_the_error = []() -> StatusOr<std::string> { return OkStatus(); };
  StatusOr<std::string> text = forgets_the_error();
  EXPECT_EQ(text.status().ToString(), "INTERNAL: a Status that is OK was given as an error");
}

TEST(StatusOrDeathTest, TheValueOfAnErrorEndsTheProgram) {
  const char* message =
      "fatal: the value of a StatusOr that is an error: INVALID_ARGUMENT: 3 is odd";
  StatusOr<int> number = Half(3);
  const StatusOr<std::string> text = InvalidArgumentError("3 is odd");
  EXPECT_DEATH((void)number.value(), message);
  EXPECT_DEATH((void)*number, message);
  EXPECT_DEATH((void)Half(3).value(), message);
  EXPECT_DEATH((void)*Half(3), message);
  EXPECT_DEATH((void)text->size(), message);
  EXPECT_DEATH((void)text.value(), message);
}

TEST(StrCatTest, MixesTextAndNumbers) {
  EXPECT_EQ(StrCat("a", 1, ' ', std::string("b"), -2, std::string_view("c")), "a1 b-2c");
}

}  // namespace
}  // namespace tfrt
