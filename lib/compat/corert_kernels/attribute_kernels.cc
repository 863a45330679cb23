// Kernels that collect and print the attributes of ops.

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include "kernel_groups.h"
#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// The payload of !corert.opattrs. Kernels that set attributes need not be ordered by chains.
class SharedOpAttrs {
 public:
  static constexpr std::string_view kProgramTypeName = "op attributes";
  // False if the name is taken. The value stays in the program's file.
  bool Set(std::string_view name, AttributeCode code, const uint8_t* data) {
    std::lock_guard lock(mutex_);
    return attrs_.SetExternal(name, code, data);
  }
  OpAttrsRef Freeze() const {
    std::lock_guard lock(mutex_);
    return attrs_.Freeze();
  }

 private:
  mutable std::mutex mutex_;
  OpAttrs attrs_;
};

void CreateOpAttrs(Result<SharedOpAttrs> result) { result.Emplace(); }

// A: the kind of value that the kernel takes.
template <typename A>
void SetAttr(SharedOpAttrs& attrs, Result<Chain> done, StringAttribute key,
             [[maybe_unused]] A value, AsyncKernelFrame* frame) {
  AttributeCode code = A::kCode;
  if constexpr (std::is_same_v<A, AggregateAttribute>) {
    if (value.size() == 0) code = internal::CodeFor(bef::TypeCode::kEmptyArray);
  }
  if (!attrs.Set(*key, code, frame->attribute(1))) {
    return frame->ReportError(
        InvalidArgumentError(StrCat("the op attribute '", *key, "' is set already")));
  }
  done.Set(GetReadyChain());
}

Chain PrintText(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return {};
}

Chain PrintOpAttrs(const SharedOpAttrs& attrs, Argument<Chain>) {
  return PrintText(attrs.Freeze().ToString());
}

std::pair<OpAttrsRef, Chain> FreezeOpAttrs(const SharedOpAttrs& attrs, Argument<Chain>) {
  return {attrs.Freeze(), Chain()};
}

Chain PrintOpAttrsRef(const OpAttrsRef& attrs, Argument<Chain>) {
  return PrintText(attrs.ToString());
}

template <typename A>
void RegisterSet(KernelRegistry* registry, const std::string& suffix) {
  registry->AddKernel("corert.op_attrs_set" + suffix, TFRT_KERNEL(SetAttr<A>));
}

}  // namespace

void RegisterOpAttrsKernels(KernelRegistry* registry) {
  registry->AddKernel("corert.create_op_attrs", TFRT_KERNEL(CreateOpAttrs));
  RegisterSet<Attribute<bool>>(registry, ".bool");
  RegisterSet<Attribute<int32_t>>(registry, ".i32");
  RegisterSet<Attribute<float>>(registry, ".f32");
  RegisterSet<StringAttribute>(registry, ".str");
  RegisterSet<TypeAttribute>(registry, ".dtype");
  RegisterSet<DenseAttribute>(registry, ".dense");
  RegisterSet<AggregateAttribute>(registry, ".aggregate");
  RegisterSet<ShapeAttribute>(registry, ".shape");
  RegisterSet<ArrayAttribute<int32_t>>(registry, "_array.i32");
  RegisterSet<ArrayAttribute<int64_t>>(registry, "_array.i64");
  RegisterSet<ArrayAttribute<float>>(registry, "_array.f32");
  registry->AddKernel("tfrt_test.corert.op_attrs_print", TFRT_KERNEL(PrintOpAttrs));
  registry->AddKernel("tfrt_test.corert.op_attrs_freeze", TFRT_KERNEL(FreezeOpAttrs));
  registry->AddKernel("tfrt_test.corert.op_attrs_ref_print", TFRT_KERNEL(PrintOpAttrsRef));
}

}  // namespace tfrt
