#include "promotion.h"

#include <vector>

#include "errors.h"
#include "interrupts.h"
#include "tensor.h"

namespace tfrt::python {

void SetPromotion(const eager::Promotion& promotion, OpInfo& info) {
  info.promotion = promotion;
  for (size_t i = 0; i < info.num_inputs; ++i) {
    info.parameters[i].promotes = promotion.TakesPart(i);
  }
}

const OpDefinition* Promote(const OpInfo& info, std::span<eager::TensorArgument> arguments,
                            bool keeps_lock, Location where) {
  std::vector<eager::TensorArgument*> inputs;
  size_t next = 0;
  for (size_t i = 0; i < info.num_inputs; ++i) {
    const bool is_list = info.parameters[i].kind == OpParameter::Kind::kVariadicInput;
    size_t count = is_list ? arguments.size() - (info.num_inputs - 1) : 1;
    for (; count > 0 && next < arguments.size(); --count, ++next) {
      if (info.parameters[i].promotes) inputs.push_back(&arguments[next]);
    }
  }
  auto promote = [&] { return eager::Promote(info.promotion, info.op, inputs, where); };
  return keeps_lock ? promote() : CallWithoutLock(promote);
}

void BindPromotion(nb::module_& module) {
  module.def(
      "_promote",
      [](const PyDType& a, const PyDType& b) {
        const DType dtype = eager::PromotedDType(a.dtype, b.dtype);
        if (dtype == DType::kUnsupported) {
          RaiseTypeError("elements of %s and of %s do not meet in one dtype",
                         DTypeText(a.dtype).c_str(), DTypeText(b.dtype).c_str());
        }
        return WrapDType(dtype);
      },
      nb::arg("a"), nb::arg("b"), nb::sig("def _promote(a: DType, b: DType) -> DType"));
}

}  // namespace tfrt::python
