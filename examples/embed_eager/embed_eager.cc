#include <cstdio>

#include "tfrt/eager/ops.h"

using namespace tfrt::eager;

int main() {
  auto context = *Context::Create();
  Scope scope(*context);
  Tensor x = Tensor::FromArray(HostArray({2, 2}, {1.0f, 2.0f, 3.0f, 4.0f}));
  Tensor y = Relu(MatMul(x, x, {.transpose_b = true}));
  std::puts(y.ToString().c_str());
  Tensor wrong = MatMul(y, HostArray({1, 2}, {1.0f, 2.0f}));
  std::puts(wrong.ToString().c_str());
}
