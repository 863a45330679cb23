// The operators of tensors, which are functions of ops.h.

#include <utility>

#include "tfrt/eager/ops.h"

namespace tfrt::eager {

Tensor operator+(Operand x, Operand y) {
  return AddV2(std::move(x.argument), std::move(y.argument), x.where);
}
Tensor operator-(Operand x, Operand y) {
  return Sub(std::move(x.argument), std::move(y.argument), x.where);
}
Tensor operator*(Operand x, Operand y) {
  return Mul(std::move(x.argument), std::move(y.argument), x.where);
}
Tensor operator/(Operand x, Operand y) {
  return RealDiv(std::move(x.argument), std::move(y.argument), x.where);
}
Tensor operator<(Operand x, Operand y) {
  return Less(std::move(x.argument), std::move(y.argument), x.where);
}
Tensor operator<=(Operand x, Operand y) {
  return LessEqual(std::move(x.argument), std::move(y.argument), x.where);
}
Tensor operator>(Operand x, Operand y) {
  return Greater(std::move(x.argument), std::move(y.argument), x.where);
}
Tensor operator>=(Operand x, Operand y) {
  return GreaterEqual(std::move(x.argument), std::move(y.argument), x.where);
}
Tensor operator==(Operand x, Operand y) {
  return Equal(std::move(x.argument), std::move(y.argument), x.where);
}
Tensor operator!=(Operand x, Operand y) {
  return NotEqual(std::move(x.argument), std::move(y.argument), x.where);
}

}  // namespace tfrt::eager
