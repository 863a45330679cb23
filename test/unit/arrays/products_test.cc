// Products of matrices and vectors, with figures of NumPy.

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "test/unit/arrays/arrays_fixture.h"

namespace tfrt::eager {
namespace {

class ProductsTest : public ArraysTest {
 protected:
  const Tensor x = Make<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor y = Make<float>({3, 2}, {1, 0, 0, 1, 1, 1});
  const Tensor v = Make<float>({3}, {1, 2, 3});
};

TEST_F(ProductsTest, Matrices) {
  ExpectEverywhere([&](const Tensor& x) { return arrays::Matmul(x, y); }, x,
                   "f32 [2, 2]: 4 5 10 11");
  ExpectEverywhere([&](const Tensor& x) { return arrays::Matmul(x, v); }, x, "f32 [2]: 14 32");
  ExpectEverywhere([&](const Tensor& x) { return arrays::Matmul(v, x); }, y, "f32 [2]: 4 5");
  ExpectEverywhere([](const Tensor& x) { return arrays::Matmul(x, x); }, v, "f32 []: 14");
  const Tensor batch = arrays::Stack({x, x * 2});
  ExpectEverywhere([&](const Tensor& x) { return arrays::Matmul(x, y); }, batch,
                   "f32 [2, 2, 2]: 4 5 10 11 8 10 20 22");
  EXPECT_EQ(TextOf(arrays::Matmul(v, arrays::Stack({y, y}))), "f32 [2, 2]: 4 5 4 5");
  EXPECT_EQ(TextOf(arrays::Matmul(arrays::Zeros({2, 0}), arrays::Zeros({0, 1}))),
            "f32 [2, 1]: 0 0");
}

TEST_F(ProductsTest, DTypes) {
  const Tensor bytes = Make<uint8_t>({2, 2}, {16, 16, 1, 0});
  EXPECT_EQ(TextOf(arrays::Matmul(bytes, bytes)), "u8 [2, 2]: 16 0 16 16");
  EXPECT_EQ(TextOf(arrays::Matmul(bytes, Make<int16_t>({2}, {100, 1}))), "i16 [2]: 1616 100");
  EXPECT_EQ(TextOf(arrays::Matmul(Make<int32_t>({1, 2}, {1, 2}), Make<double>({2}, {0.5, 1}))),
            "f64 [1]: 2.5");
  const Tensor bits = Make<float>({2, 2}, {1, 0, 1, 1}) > 0;
  EXPECT_EQ(TextOf(arrays::Matmul(bits, bits)), "i1 [2, 2]: 1 0 1 1");
  EXPECT_EQ(TextOf(arrays::Outer(bits.At(0), bits.At(1))), "i1 [2, 2]: 1 1 0 0");
  EXPECT_EQ(TextOf(arrays::Vecdot(bits, bits)), "i1 [2]: 1 1");
}

TEST_F(ProductsTest, Vectors) {
  ExpectEverywhere([&](const Tensor& x) { return arrays::Vecdot(x, v); }, x, "f32 [2]: 14 32");
  ExpectEverywhere([](const Tensor& x) { return arrays::Vecdot(x, x, {.axis = 0}); }, x,
                   "f32 [3]: 17 29 45");
  ExpectEverywhere([](const Tensor& x) { return arrays::Outer(x, x); }, v,
                   "f32 [3, 3]: 1 2 3 2 4 6 3 6 9");
  EXPECT_EQ(TextOf(arrays::Outer(x, Make<int32_t>({1}, {2}))), "f32 [6, 1]: 2 4 6 8 10 12");
  using Complex = std::complex<float>;
  const Tensor z = Make<Complex>({2}, {Complex(0, 1), Complex(2, 0)});
  for (const Tensor& dot : {arrays::Vecdot(z, z), arrays::Vecdot(arrays::Stack({z, z}), z).At(1)}) {
    StatusOr<Complex> number = dot.Item<Complex>();
    ASSERT_TRUE(number.ok()) << number.status().message();
    EXPECT_EQ(*number, Complex(5, 0));
  }
}

TEST_F(ProductsTest, Contractions) {
  ExpectEverywhere([&](const Tensor& x) { return arrays::Tensordot(x, y, 1); }, x,
                   "f32 [2, 2]: 4 5 10 11");
  ExpectEverywhere([](const Tensor& x) { return arrays::Tensordot(x, x); }, x, "f32 []: 91");
  ExpectEverywhere([&](const Tensor& x) { return arrays::Tensordot(x, y, {0, 1}); }, x,
                   "f32 [3, 3]: 1 4 5 2 5 7 3 6 9");
  ExpectEverywhere([](const Tensor& x) { return arrays::Tensordot(x, x, 0); }, v.At(0),
                   "f32 []: 1");
  EXPECT_EQ(TextOf(arrays::Tensordot(x, y, {arrays::Axes{0, 1}, arrays::Axes{1, 0}})),
            "f32 []: 15");
}

TEST_F(ProductsTest, LettersOfAxes) {
  auto sums = [](std::string subscripts, std::vector<Tensor> more = {}) {
    return [=](const Tensor& x) {
      std::vector<Tensor> operands = {x};
      operands.insert(operands.end(), more.begin(), more.end());
      return arrays::Einsum(subscripts, operands);
    };
  };
  ExpectEverywhere(sums("ij,jk->ik", {y}), x, "f32 [2, 2]: 4 5 10 11");
  ExpectEverywhere(sums("ij, jk", {y}), x, "f32 [2, 2]: 4 5 10 11");
  ExpectEverywhere(sums("ij->ji"), x, "f32 [3, 2]: 1 4 2 5 3 6");
  ExpectEverywhere(sums("ij->"), x, "f32 []: 21");
  ExpectEverywhere(sums("i,i->", {v}), v, "f32 []: 14");
  ExpectEverywhere(sums("i,j->ij", {v}), v, "f32 [3, 3]: 1 2 3 2 4 6 3 6 9");
  ExpectEverywhere(sums("...j,j->...", {v}), x, "f32 [2]: 14 32");
  ExpectEverywhere(sums("ij,jk,k->i", {y, Make<int8_t>({2}, {1, 2})}), x, "f32 [2]: 14 32");
  ExpectEverywhere(sums("bij,bjk->bik", {arrays::Stack({y, y})}), arrays::Stack({x, x * 2}),
                   "f32 [2, 2, 2]: 4 5 10 11 8 10 20 22");
  const Tensor square = Make<int32_t>({2, 2}, {1, 2, 3, 4});
  ExpectTraced(sums("ii->i"), square, "i32 [2]: 1 4");
  EXPECT_EQ(TextOf(sums("ii")(square)), "i32 []: 5");
  EXPECT_EQ(TextOf(sums("ij,ij->ij", {Make<float>({2, 1}, {1, 2})})(x)),
            "f32 [2, 3]: 1 2 3 8 10 12");
  EXPECT_EQ(TextOf(sums("ij,kj->ik", {square > 2})(square > 1)), "i1 [2, 2]: 0 1 0 1");
  EXPECT_EQ(TextOf(sums("ij->j")(arrays::Zeros({0, 2}))), "f32 [2]: 0 0");
}

TEST_F(ProductsTest, ErrorsOfLetters) {
  EXPECT_THAT(TextOf(arrays::Einsum("ij,j", {x})),
              AllOf(HasSubstr("products_test.cc:"),
                    HasSubstr("einsum: subscripts 'ij,j' are for 2 operands, not 1")));
  EXPECT_THAT(TextOf(arrays::Einsum("i", {x})),
              HasSubstr("subscripts 'i' name 1 axes of operands[0], which has 2 dimensions"));
  EXPECT_THAT(TextOf(arrays::Einsum("i1", {x})), HasSubstr("'1' in subscripts is no letter"));
  EXPECT_THAT(TextOf(arrays::Einsum("ij->ii", {x})),
              HasSubstr("the result of subscripts 'ij->ii' has 'i' twice"));
  EXPECT_THAT(TextOf(arrays::Einsum("ij->ik", {x})),
              HasSubstr("the result of subscripts 'ij->ik' has 'k', which no operand has"));
  EXPECT_THAT(TextOf(arrays::Einsum("ij,ij", {x, y})), HasSubstr("'i' has the sizes 2 and 3"));
  EXPECT_THAT(TextOf(arrays::Einsum("ii", {x})),
              HasSubstr("'i' has the sizes 2 and 3 in one operand"));
  EXPECT_THAT(TextOf(arrays::Einsum("", std::vector<Tensor>())),
              HasSubstr("einsum: operands has no array, but needs one"));
}

TEST_F(ProductsTest, Errors) {
  EXPECT_THAT(TextOf(arrays::Matmul(x, x)),
              AllOf(HasSubstr("products_test.cc:"),
                    HasSubstr("matmul: x1 has the shape [2, 3] and x2 [2, 3]: 3 is not 2")));
  EXPECT_THAT(TextOf(arrays::Matmul(x, v.At(0))),
              HasSubstr("x2 has 0 dimensions, but 1 or more are needed"));
  EXPECT_THAT(TextOf(arrays::Vecdot(x, arrays::Zeros({2}))),
              HasSubstr("vecdot: the vectors of x1 have size 3, but those of x2 have 2"));
  EXPECT_THAT(TextOf(arrays::Tensordot(x, y, 3)),
              HasSubstr("tensordot: axes is 3, but x1 has 2 dimensions and x2 has 2"));
  EXPECT_THAT(TextOf(arrays::Tensordot(x, x, 1)),
              HasSubstr("axis 1 of x1 has size 3, but axis 0 of x2 has 2"));
  EXPECT_THAT(TextOf(arrays::Tensordot(x, y, {arrays::Axes{0, 1}, 0})),
              HasSubstr("axes name 2 of x1, but 1 of x2"));
  EXPECT_THAT(TextOf(arrays::Tensordot(x, y, {0, 5})),
              HasSubstr("axes[1] 5 is out of range for an array of 2 dimensions"));
}

}  // namespace
}  // namespace tfrt::eager
