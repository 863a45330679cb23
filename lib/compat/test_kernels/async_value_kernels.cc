// The AsyncValue interface, seen from a program.

#include <string>

#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

struct Base1 {
  virtual ~Base1() = default;
  virtual std::string Name() const { return "base1"; }
  std::string first = "base1";
};
struct Base2 : Base1 {
  using AsyncValueBases = BaseTypes<Base1>;
  std::string second = "base2";
};
struct FinalClass final : Base2 {
  using AsyncValueBases = BaseTypes<Base2, Base1>;
  explicit FinalClass(int n) : number(n) {}
  std::string Name() const override { return "final_class"; }
  int number;
};

// Reads one value through its type and through both of its bases.
std::string AsyncValueGet() {
  RCReference<AsyncValue> value = MakeAvailableAsyncValueRef<FinalClass>(3).ReleaseRCRef();
  return StrCat(value->get<Base1>().first, ':', value->get<Base2>().second, ':',
                value->get<Base1>().Name(), ':', value->get<FinalClass>().number);
}

std::string Describe(const AsyncValueRef<int32_t>& value) {
  return value.IsConcrete() ? StrCat("available:", *value) : "unavailable";
}

// Three ways to make a value: available at once; constructed, changed and then published;
// constructed when it is published.
std::string AsyncValueReference() {
  std::string text = StrCat(Describe(MakeAvailableAsyncValueRef<int32_t>(2)), ';');
  auto constructed = MakeConstructedAsyncValueRef<int32_t>(3);
  text += StrCat(Describe(constructed), ";(", *constructed, ");");
  constructed.SetStateConcrete();
  text += StrCat(Describe(constructed), ';');
  auto unconstructed = MakeUnconstructedAsyncValueRef<int32_t>();
  text += StrCat(Describe(unconstructed), ';');
  unconstructed.emplace(4);
  return text + Describe(unconstructed);
}

}  // namespace

void RegisterAsyncValueTestKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_test.async_value_get", TFRT_KERNEL(AsyncValueGet));
  registry->AddKernel("tfrt_test.async_value_ref", TFRT_KERNEL(AsyncValueReference));
}

}  // namespace tfrt
