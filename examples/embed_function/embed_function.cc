// Traces a function, calls it, and saves it. Usage: embed_function [FILE.bef]

#include <cstdio>
#include <string>

#include "tfrt/eager/ops.h"
#include "tfrt/eager/variable.h"
#include "tfrt/function/control_flow.h"
#include "tfrt/function/function.h"

using namespace tfrt::eager;
using tfrt::function::ForRange;
using tfrt::function::Function;

int main(int argc, char** argv) {
  auto context = *Context::Create();
  Scope scope(*context);
  Variable weights(Tensor::Of({{0.5f, 0.25f}, {-0.25f, 0.5f}}));
  Function apply("apply",
                 [&](Tensor x) {
                   std::puts("traced");
                   return ForRange(
                       int64_t{3}, [&](Tensor, Tensor y) { return Tanh(MatMul(y, weights)); }, x);
                 },
                 {.argument_names = {"x"}});

  Tensor x = Tensor::Of({{1.0f, 2.0f}});
  for (int i = 0; i < 2; ++i) {
    Tensor y = apply(x);
    std::puts(y.ToString().c_str());
    weights.Assign(Tensor::Of({{1.0f, 0.0f}, {0.0f, 1.0f}}));
  }
  if (argc < 2) return 0;
  Status saved = apply.Save(argv[1]);
  std::puts(saved.ok() ? "saved" : std::string(saved.message()).c_str());
}
