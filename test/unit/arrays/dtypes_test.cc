// Element types of arrays.

#include "test/unit/arrays/arrays_fixture.h"

namespace tfrt::eager {
namespace {

using DTypesTest = ArraysTest;

TEST_F(DTypesTest, AsArrayMakesTensors) {
  EXPECT_EQ(TextOf(arrays::AsArray(2)), "i32 []: 2");
  EXPECT_EQ(TextOf(arrays::AsArray(0.5)), "f32 []: 0.5");
  EXPECT_EQ(TextOf(arrays::AsArray(true)), "i1 []: 1");
  EXPECT_EQ(TextOf(arrays::AsArray(3, DType::kUI8)), "u8 []: 3");
  EXPECT_EQ(TextOf(arrays::AsArray(HostArray({2}, {1.5, -1.5}), DType::kI16)), "i16 [2]: 1 -1");
  EXPECT_EQ(TextOf(arrays::AsArray(Make<float>({1}, {4}))), "f32 [1]: 4");
  EXPECT_THAT(TextOf(arrays::AsArray(300, DType::kUI8)),
              AllOf(HasSubstr("dtypes_test.cc:"),
                    HasSubstr("asarray: the number 300 does not fit elements of u8")));
  ExpectEverywhere([](const Tensor& x) { return arrays::AsType(x, DType::kF64); },
                   Make<int32_t>({2}, {1, -2}), "f64 [2]: 1 -2");
}

TEST_F(DTypesTest, ResultTypeIsWhereAllMeet) {
  EXPECT_EQ(*arrays::ResultType({DType::kI8, DType::kUI8}), DType::kI16);
  EXPECT_EQ(*arrays::ResultType({DType::kI1}), DType::kI1);
  // The order does not matter: integers beside a float lose their width.
  EXPECT_EQ(*arrays::ResultType({DType::kI64, DType::kUI64, DType::kF32}), DType::kF32);
  EXPECT_EQ(*arrays::ResultType({DType::kF32, DType::kUI64, DType::kI64}), DType::kF32);
  EXPECT_EQ(arrays::ResultType({DType::kF32, DType::kQI8}).status().message(),
            "result_type: elements of f32 and of qi8 do not meet in one dtype");
  EXPECT_EQ(arrays::ResultType({}).status().message(), "result_type: there is no dtype");
  EXPECT_TRUE(arrays::CanCast(DType::kI16, DType::kI32));
  EXPECT_FALSE(arrays::CanCast(DType::kI32, DType::kI16));
  EXPECT_FALSE(arrays::CanCast(DType::kF64, DType::kI64));
}

TEST_F(DTypesTest, KindsAreThoseOfTheStandard) {
  EXPECT_TRUE(*arrays::IsDType(DType::kI1, "bool"));
  EXPECT_TRUE(*arrays::IsDType(DType::kUI8, "unsigned integer"));
  EXPECT_FALSE(*arrays::IsDType(DType::kUI8, "signed integer"));
  EXPECT_TRUE(*arrays::IsDType(DType::kI8, "integral"));
  EXPECT_TRUE(*arrays::IsDType(DType::kBF16, "real floating"));
  EXPECT_TRUE(*arrays::IsDType(DType::kComplex64, "complex floating"));
  EXPECT_TRUE(*arrays::IsDType(DType::kComplex64, "numeric"));
  EXPECT_FALSE(*arrays::IsDType(DType::kI1, "numeric"));
  EXPECT_FALSE(*arrays::IsDType(DType::kQI8, "numeric"));
  EXPECT_EQ(arrays::IsDType(DType::kI8, "integer").status().message(),
            "isdtype: there is no kind 'integer'; the kinds are 'bool', 'signed integer', "
            "'unsigned integer', 'integral', 'real floating', 'complex floating', 'numeric'");
}

}  // namespace
}  // namespace tfrt::eager
