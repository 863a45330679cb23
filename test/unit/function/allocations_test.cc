// To find the program of a call that was made before takes no memory.

#include <cstdint>
#include <cstdlib>
#include <new>

#include "test/unit/function/function_fixture.h"

namespace {

thread_local constinit uint64_t num_allocations = 0;

}  // namespace

void* operator new(size_t size) {
  ++num_allocations;
  void* memory = std::malloc(size != 0 ? size : 1);
  if (!memory) std::abort();
  return memory;
}
void* operator new(size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace tfrt::function {
namespace {

TEST_F(FunctionTest, ACacheHitTakesNoMemory) {
  Function f("f", [](std::vector<Tensor> xs, Static<std::string> name) { return xs[0] + xs[6]; });
  std::vector<Tensor> xs;
  std::vector<Argument> arguments = {Argument::List(7)};
  for (int i = 0; i < 7; ++i) xs.push_back(Floats({2, 2}, {1, 2, 3, 4}));
  for (const Tensor& x : xs) arguments.push_back(Argument::Of(TensorArgument(x)));
  arguments.push_back(Argument::OfText("a text of more than a few characters"));
  EXPECT_TRUE(f(xs, std::string("a text of more than a few characters")).status().ok());
  EXPECT_TRUE(f.IsCached(arguments));  // this thread's first look makes its place among readers
  const uint64_t before = num_allocations;
  bool is_cached = true;
  for (int i = 0; i < 10; ++i) is_cached &= f.IsCached(arguments);
  EXPECT_EQ(num_allocations - before, 0u);
  EXPECT_TRUE(is_cached);
}

}  // namespace
}  // namespace tfrt::function
