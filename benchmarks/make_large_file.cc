// make_large_file MEGABYTES OUT.bef: a file with a function `main` that does nothing and one,
// `large`, that has a constant of this size.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "tfrt/bef/bef_builder.h"

int main(int argc, char** argv) {
  int64_t megabytes = 0;
  if (argc == 3) std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), megabytes);
  if (megabytes < 1 || megabytes > 2000) {
    std::fprintf(stderr, "usage: %s MEGABYTES OUT.bef\n", argv[0]);
    return 2;
  }
  using namespace tfrt::bef;
  int64_t num_elements = megabytes * 250'000;
  BefBuilder builder;
  builder.AddFunction({.name = "main"});
  FunctionSpec large{.name = "large", .result_types = {"!tfrt_tensor.tensor"}};
  large.returns = {large.AddKernel(
      {.name = "tfrt_test.const_dense_attr",
       .result_types = {"!tfrt_tensor.tensor"},
       .attributes = {{"value", DenseAttribute(TypeCode::kF32, {num_elements},
                                               std::vector<uint8_t>(num_elements * 4))}}})};
  builder.AddFunction(std::move(large));
  auto bytes = builder.Build();
  if (!bytes.ok()) {
    std::fprintf(stderr, "make_large_file: %s\n", bytes.status().ToString().c_str());
    return 1;
  }
  std::ofstream out(argv[2], std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes->data()),
            static_cast<std::streamsize>(bytes->size()));
  return out.flush() ? 0 : 1;
}
