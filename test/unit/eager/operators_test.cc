// Operators of tensors and the element-wise functions of arrays: dtypes, numbers, errors.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "test/unit/eager/eager_fixture.h"
#include "test/unit/eager/promotion_table.h"
#include "tfrt/eager/arrays.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class OperatorsTest : public testing::Test {
 protected:
  std::unique_ptr<Context> context_ = MakeContext({});
  Scope scope_{*context_};
};

double ItemAsDouble(const Tensor& tensor) {
  StatusOr<double> item = Cast(tensor, DType::kF64).Item<double>();
  EXPECT_TRUE(item.ok()) << item.status().message();
  return item.ok() ? *item : std::nan("");
}

std::string_view NameOf(const Tensor& tensor) {
  StatusOr<DType> dtype = tensor.dtype();
  EXPECT_TRUE(dtype.ok()) << dtype.status().message();
  return dtype.ok() ? DTypeName(*dtype) : "";
}

bool IsReal(DType dtype) { return IsFloat(dtype); }

TEST_F(OperatorsTest, AllPairsOfDTypesMeetAsTheTableSays) {
  for (size_t i = 0; i < kDTypes.size(); ++i) {
    for (size_t j = 0; j < kDTypes.size(); ++j) {
      SCOPED_TRACE(StrCat(DTypeName(kDTypes[i]), " and ", DTypeName(kDTypes[j])));
      const Tensor x = ScalarAs(kDTypes[i], 6), y = ScalarAs(kDTypes[j], 4);
      const double a = kDTypes[i] == DType::kI1 ? 1 : 6, b = kDTypes[j] == DType::kI1 ? 1 : 4;
      const DType met = MeetingPoint(i, j);
      const bool are_bools = met == DType::kI1;
      EXPECT_EQ(NameOf(x + y), DTypeName(met));
      EXPECT_EQ(ItemAsDouble(x + y), are_bools ? 1 : a + b);
      EXPECT_EQ(NameOf(x * y), DTypeName(met));
      EXPECT_EQ(ItemAsDouble(x * y), a * b);
      EXPECT_EQ(NameOf(x / y), DTypeName(IsReal(met) ? met : DType::kF32));
      EXPECT_EQ(ItemAsDouble(x / y), a / b);
      EXPECT_EQ(NameOf(x < y), "i1");
      EXPECT_EQ(ItemAsDouble(x < y), a < b);
      EXPECT_EQ(ItemAsDouble(x <= y), a <= b);
      EXPECT_EQ(ItemAsDouble(x > y), a > b);
      EXPECT_EQ(ItemAsDouble(x >= y), a >= b);
      EXPECT_EQ(ItemAsDouble(x == y), a == b);
      EXPECT_EQ(ItemAsDouble(x != y), a != b);
      EXPECT_EQ(NameOf(arrays::Maximum(x, y)), DTypeName(met));
      EXPECT_EQ(ItemAsDouble(arrays::LogicalAnd(x, y)), 1);
      if (!are_bools) {
        EXPECT_EQ(NameOf(x - y), DTypeName(met));
        EXPECT_EQ(ItemAsDouble((x + y) - y), a);  // not below 0, of types without a sign
        EXPECT_EQ(ItemAsDouble(x % y), std::fmod(a, b));
        EXPECT_EQ(ItemAsDouble(arrays::FloorDivide(x, y)), std::floor(a / b));
      }
      if (IsReal(met)) {
        EXPECT_TRUE((x & y).IsError());
      } else {
        EXPECT_EQ(NameOf(x & y), DTypeName(met));
        EXPECT_EQ(ItemAsDouble(x | y), static_cast<int>(a) | static_cast<int>(b));
        EXPECT_EQ(ItemAsDouble(x ^ y), static_cast<int>(a) ^ static_cast<int>(b));
      }
    }
  }
}

TEST_F(OperatorsTest, NumbersTakeTheTypeBesideThem) {
  const Tensor f32 = Make({2}, {1.0f, 2.0f}), i8 = Make<int8_t>({2}, {1, 2});
  const Tensor i1 = Make({2}, {true, false}), f64 = Make({1}, {0.5});
  EXPECT_EQ(NameOf(f32 * 2), "f32");
  EXPECT_EQ(NameOf(f32 * 2.0), "f32");
  EXPECT_EQ(NameOf(f32 * int64_t{2}), "f32");
  EXPECT_EQ(NameOf(f32 + true), "f32");
  EXPECT_EQ(NameOf(f64 + 1.0f), "f64");
  EXPECT_EQ(NameOf(Cast(f32, DType::kF16) * 3), "f16");
  EXPECT_EQ(NameOf(Cast(f32, DType::kBF16) * 3.5), "bf16");
  EXPECT_EQ(NameOf(i8 * 2), "i8");
  EXPECT_EQ(NameOf(i8 * uint64_t{2}), "i8");
  EXPECT_EQ(NameOf(i8 * 2.5), "f32");
  EXPECT_EQ(NameOf(i1 + 1), "i32");
  EXPECT_EQ(NameOf(i1 | true), "i1");
  EXPECT_EQ(NameOf(i1 * 0.5f), "f32");
  EXPECT_THAT(ValuesOf<float>(1 - f32), ElementsAre(0, -1));
  EXPECT_THAT(ValuesOf<float>(f32 / 4), ElementsAre(0.25f, 0.5f));
  EXPECT_THAT(ValuesOf<int8_t>(7 % i8), ElementsAre(0, 1));
  EXPECT_THAT(ValuesOf<float>(i8 * 2.5), ElementsAre(2.5f, 5));
  EXPECT_THAT(ValuesOf<bool>(2 > f32), ElementsAre(true, false));
  EXPECT_THAT(ValuesOf<int32_t>(i1 + 1), ElementsAre(2, 1));
  // Numbers alone have the types that arrays of numbers have.
  EXPECT_EQ(NameOf(arrays::Add(1, 2)), "i32");
  EXPECT_EQ(NameOf(arrays::Add(1, int64_t{1} << 40)), "i64");
  EXPECT_EQ(NameOf(arrays::Add(1, 0.5)), "f32");
  // Types of C++ that have a size of their own, and arrays, keep it.
  EXPECT_EQ(NameOf(Cast(f32, DType::kF16) * Bf16(2.0f)), "f32");
  EXPECT_EQ(NameOf(f32 * HostArray({1}, {2.0})), "f64");
}

TEST_F(OperatorsTest, ComputeWhatTheirNamesSay) {
  const Tensor x = Make({4}, {7, -7, 6, 0}), y = Make({4}, {2, 2, -4, 5});
  EXPECT_THAT(ValuesOf<int32_t>(x % y), ElementsAre(1, 1, -2, 0));  // the sign of the divisor
  EXPECT_THAT(ValuesOf<float>(x / y), ElementsAre(3.5f, -3.5f, -1.5f, 0));
  EXPECT_THAT(ValuesOf<int32_t>(x & y), ElementsAre(2, 0, 4, 0));
  EXPECT_THAT(ValuesOf<int32_t>(x ^ 1), ElementsAre(6, -8, 7, 1));
  EXPECT_THAT(ValuesOf<int32_t>(x << 1), ElementsAre(14, -14, 12, 0));
  EXPECT_THAT(ValuesOf<int32_t>(x >> 1), ElementsAre(3, -4, 3, 0));
  EXPECT_THAT(ValuesOf<int32_t>(-x), ElementsAre(-7, 7, -6, 0));
  EXPECT_THAT(ValuesOf<int32_t>(+x), ElementsAre(7, -7, 6, 0));
  EXPECT_THAT(ValuesOf<int32_t>(~x), ElementsAre(-8, 6, -7, -1));
  EXPECT_THAT(ValuesOf<bool>(!x), ElementsAre(false, false, false, true));
  EXPECT_THAT(ValuesOf<bool>((x > 0) & (y > 0)), ElementsAre(true, false, false, false));
  EXPECT_THAT(ValuesOf<bool>(~(x > 0) | (y < 0)), ElementsAre(false, true, true, true));
}

TEST_F(OperatorsTest, AssignInTheTypeOfTheLeftSide) {
  Tensor x = Make({3}, {1.0f, 2.0f, 3.0f});
  const Tensor before = x;
  x += Make({3}, {0.5, 0.5, 0.5});  // f64
  EXPECT_EQ(NameOf(x), "f32");
  EXPECT_THAT(ValuesOf<float>(x), ElementsAre(1.5f, 2.5f, 3.5f));
  EXPECT_THAT(ValuesOf<float>(before), ElementsAre(1, 2, 3));
  ((x -= 0.5) *= 4) /= 2;
  EXPECT_THAT(ValuesOf<float>(x), ElementsAre(2, 4, 6));
  x *= x;
  EXPECT_THAT(ValuesOf<float>(x), ElementsAre(4, 16, 36));
  Tensor n = Make({2}, {5, 6});
  n %= 4;
  n <<= 2;
  n |= 1;
  n ^= Make<int8_t>({2}, {4, 4});
  EXPECT_THAT(ValuesOf<int32_t>(n), ElementsAre(1, 13));
  n >>= 1;
  n &= 3;
  EXPECT_THAT(ValuesOf<int32_t>(n), ElementsAre(0, 2));
}

TEST_F(OperatorsTest, RefuseToAssignAnotherKindOrShape) {
  Tensor n = Make({2}, {5, 6});
  n /= 2;
  const Status kind = n.status();
  EXPECT_EQ(TFRT_MESSAGE_AT(kind, __LINE__ - 2),
            "/=: an operator in place keeps the dtype of its left side, which is i32, but the "
            "result has elements of f32; write x = x + y, or cast one side");
  Tensor x = Make({2}, {1.0f, 2.0f});
  x += Make({3, 2}, {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f});
  EXPECT_THAT(std::string(x.status().message()),
              HasSubstr("+=: an operator in place keeps the shape of its left side, which is [2], "
                        "but the result has the shape [3, 2]"));
}

TEST_F(OperatorsTest, NameBothSidesOfWhatIsWrong) {
  const Tensor bytes = Make<uint8_t>({1}, {1});
  Tensor sum = bytes + 300;
  EXPECT_EQ(TFRT_MESSAGE_AT(sum.status(), __LINE__ - 1),
            "add: y: the number 300 does not fit elements of u8");
  EXPECT_THAT(std::string((bytes - -1).status().message()),
              HasSubstr("subtract: y: the number -1 does not fit elements of u8"));
  EXPECT_THAT(std::string(arrays::Clip(bytes, 0, 300).status().message()),
              HasSubstr("clip: max: the number 300 does not fit elements of u8"));
  const Tensor quantized =
      Tensor::FromArray(HostArray(DType::kQI8, std::array{int64_t{1}}, std::array{std::byte{1}}));
  const Tensor x = Make({1}, {1.0f});
  Tensor mixed = x + quantized;
  EXPECT_EQ(TFRT_MESSAGE_AT(mixed.status(), __LINE__ - 1),
            "add: x has elements of f32 and y of qi8, which do not meet in one dtype");
  EXPECT_THAT(std::string((x & 1).status().message()), HasSubstr("f32"));
  EXPECT_THAT(std::string((Make({2}, {1, 2}) + Make({3}, {1.0f, 2.0f, 3.0f})).status().message()),
              testing::AllOf(HasSubstr("[2]"), HasSubstr("[3]")));
  // A missing tensor, or an error, stays that.
  EXPECT_THAT(std::string((Tensor() + 1).status().message()), HasSubstr("argument"));
  EXPECT_EQ((sum * 2).status().message(), sum.status().message());
}

TEST_F(OperatorsTest, WaitForTypesThatNobodyKnows) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync});
  Tensor x = CallOp("test.Same", {Make({2}, {1, 2})});
  EXPECT_THAT(ValuesOf<float>(x + 0.5), ElementsAre(1.5f, 2.5f));
  Tensor y = CallOp("test.Same", {Make({2}, {1, 2})});
  y += true;
  EXPECT_THAT(ValuesOf<int32_t>(y), ElementsAre(2, 3));
}

TEST_F(OperatorsTest, FunctionsComputeWhatTheirNamesSay) {
  struct Unary {
    std::string_view name;
    Tensor (*function)(Operand);
    double (*expected)(double);
    double at = 0.5;
  };
  const Unary unary[] = {
      {"abs", arrays::Abs, [](double x) { return std::fabs(x); }, -2.5},
      {"acos", arrays::Acos, [](double x) { return std::acos(x); }},
      {"acosh", arrays::Acosh, [](double x) { return std::acosh(x); }, 1.5},
      {"asin", arrays::Asin, [](double x) { return std::asin(x); }},
      {"asinh", arrays::Asinh, [](double x) { return std::asinh(x); }},
      {"atan", arrays::Atan, [](double x) { return std::atan(x); }},
      {"atanh", arrays::Atanh, [](double x) { return std::atanh(x); }},
      {"ceil", arrays::Ceil, [](double x) { return std::ceil(x); }},
      {"cos", arrays::Cos, [](double x) { return std::cos(x); }},
      {"cosh", arrays::Cosh, [](double x) { return std::cosh(x); }},
      {"exp", arrays::Exp, [](double x) { return std::exp(x); }},
      {"expm1", arrays::Expm1, [](double x) { return std::expm1(x); }},
      {"floor", arrays::Floor, [](double x) { return std::floor(x); }, -0.5},
      {"isinf", arrays::IsInf, [](double x) { return double(std::isinf(x)); }, -INFINITY},
      {"isnan", arrays::IsNan, [](double x) { return double(std::isnan(x)); }, NAN},
      {"log", arrays::Log, [](double x) { return std::log(x); }},
      {"log10", arrays::Log10, [](double x) { return std::log10(x); }},
      {"log1p", arrays::Log1p, [](double x) { return std::log1p(x); }},
      {"log2", arrays::Log2, [](double x) { return std::log2(x); }},
      {"logical_not", arrays::LogicalNot, [](double x) { return double(x == 0); }, 0.0},
      {"negative", arrays::Negative, [](double x) { return -x; }},
      {"positive", arrays::Positive, [](double x) { return x; }},
      {"reciprocal", arrays::Reciprocal, [](double x) { return 1 / x; }, 4},
      {"round", arrays::Round, [](double x) { return std::nearbyint(x); }, 2.5},
      {"sign", arrays::Sign, [](double) { return -1.0; }, -0.25},
      {"signbit", arrays::SignBit, [](double x) { return double(std::signbit(x)); }, -0.0},
      {"sin", arrays::Sin, [](double x) { return std::sin(x); }},
      {"sinh", arrays::Sinh, [](double x) { return std::sinh(x); }},
      {"sqrt", arrays::Sqrt, [](double x) { return std::sqrt(x); }},
      {"square", arrays::Square, [](double x) { return x * x; }, -3},
      {"tan", arrays::Tan, [](double x) { return std::tan(x); }},
      {"tanh", arrays::Tanh, [](double x) { return std::tanh(x); }},
      {"trunc", arrays::Trunc, [](double x) { return std::trunc(x); }, -2.5},
  };
  for (const Unary& each : unary) {
    SCOPED_TRACE(each.name);
    EXPECT_NEAR(ItemAsDouble(each.function(Make({}, {each.at}))), each.expected(each.at), 1e-12);
  }
  struct Binary {
    std::string_view name;
    Tensor (*function)(Operand, Operand);
    double expected;  // of -7.0 and 2.0
  };
  const Binary binary[] = {
      {"add", arrays::Add, -5},
      {"atan2", arrays::Atan2, std::atan2(-7.0, 2.0)},
      {"copysign", arrays::CopySign, 7},
      {"divide", arrays::Divide, -3.5},
      {"equal", arrays::Equal, 0},
      {"floor_divide", arrays::FloorDivide, -4},
      {"greater", arrays::Greater, 0},
      {"greater_equal", arrays::GreaterEqual, 0},
      {"hypot", arrays::Hypot, std::hypot(-7.0, 2.0)},
      {"less", arrays::Less, 1},
      {"less_equal", arrays::LessEqual, 1},
      {"logaddexp", arrays::LogAddExp, std::log(std::exp(-7.0) + std::exp(2.0))},
      {"logical_and", arrays::LogicalAnd, 1},
      {"logical_or", arrays::LogicalOr, 1},
      {"logical_xor", arrays::LogicalXor, 0},
      {"maximum", arrays::Maximum, 2},
      {"minimum", arrays::Minimum, -7},
      {"multiply", arrays::Multiply, -14},
      {"nextafter", arrays::NextAfter, std::nextafter(-7.0, 2.0)},
      {"not_equal", arrays::NotEqual, 1},
      {"pow", arrays::Pow, 49},
      {"remainder", arrays::Remainder, 1},
      {"subtract", arrays::Subtract, -9},
  };
  for (const Binary& each : binary) {
    SCOPED_TRACE(each.name);
    EXPECT_NEAR(ItemAsDouble(each.function(Make({}, {-7.0}), 2)), each.expected, 1e-12);
  }
  const Tensor n = Make({}, {13});
  EXPECT_EQ(ItemAsDouble(arrays::BitwiseAnd(n, 6)), 4);
  EXPECT_EQ(ItemAsDouble(arrays::BitwiseOr(n, 6)), 15);
  EXPECT_EQ(ItemAsDouble(arrays::BitwiseXor(n, 6)), 11);
  EXPECT_EQ(ItemAsDouble(arrays::BitwiseInvert(n)), -14);
  EXPECT_EQ(ItemAsDouble(arrays::BitwiseLeftShift(n, 2)), 52);
  EXPECT_EQ(ItemAsDouble(arrays::BitwiseRightShift(n, 2)), 3);
}

TEST_F(OperatorsTest, ComposedFunctionsKeepTheTypeOfTheirFirstArgument) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const Tensor x = Make({4}, {-2.0f, kInf, std::nanf(""), 0.5f}), n = Make({3}, {-5, 0, 5});
  EXPECT_THAT(ValuesOf<bool>(arrays::IsFinite(x)), ElementsAre(true, false, false, true));
  EXPECT_THAT(ValuesOf<bool>(arrays::IsNan(x)), ElementsAre(false, false, true, false));
  EXPECT_THAT(ValuesOf<bool>(arrays::IsInf(x)), ElementsAre(false, true, false, false));
  EXPECT_THAT(ValuesOf<bool>(arrays::IsFinite(n)), ElementsAre(true, true, true));
  EXPECT_THAT(ValuesOf<bool>(arrays::IsNan(n)), ElementsAre(false, false, false));
  EXPECT_THAT(ValuesOf<int32_t>(arrays::Clip(n, -1, 2)), ElementsAre(-1, 0, 2));
  EXPECT_THAT(ValuesOf<int32_t>(arrays::Clip(n, {}, 2.5)), ElementsAre(-5, 0, 2));
  EXPECT_THAT(ValuesOf<int32_t>(arrays::Clip(n, -1)), ElementsAre(-1, 0, 5));
  EXPECT_THAT(ValuesOf<int32_t>(arrays::Square(n)), ElementsAre(25, 0, 25));
  EXPECT_THAT(ValuesOf<int32_t>(arrays::Imag(n)), ElementsAre(0, 0, 0));
  EXPECT_THAT(ValuesOf<int32_t>(arrays::Real(n)), ElementsAre(-5, 0, 5));
  EXPECT_THAT(ValuesOf<int32_t>(arrays::Conj(n)), ElementsAre(-5, 0, 5));
  EXPECT_THAT(ValuesOf<float>(arrays::Sqrt(Make({2}, {4, 9}))), ElementsAre(2, 3));
  EXPECT_THAT(ValuesOf<float>(arrays::Pow(Make({2}, {2, 3}), 0.5)),
              ElementsAre(std::sqrt(2.0f), std::sqrt(3.0f)));
  EXPECT_THAT(ValuesOf<int32_t>(arrays::Pow(Make({2}, {2, 3}), 3)), ElementsAre(8, 27));
  const std::complex<float> i(0, 1);
  Tensor imaginary = arrays::Real(HostArray({1}, std::array{i}));
  EXPECT_EQ(TFRT_MESSAGE_AT(imaginary.status(), __LINE__ - 1),
            "real: x has real elements, not complex64");
}

}  // namespace
}  // namespace tfrt::eager
