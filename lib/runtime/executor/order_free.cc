#include "order_free.h"

#include <utility>

namespace tfrt::internal {

OrderFreedom::Effects OrderFreedom::EffectsOf(const bef::DecodedFunction& body) const {
  auto effects = Effects::kNone;
  for (const bef::DecodedKernel& kernel : body.kernels()) {
    const KernelEntry& entry = *kernels_[kernel.kernel_id()];
    if (entry.order_free()) continue;
    if (!entry.as_its_functions()) return Effects::kOwn;
    effects = Effects::kThoseOfFunctions;
  }
  return effects;
}

bool OrderFreedom::Has(uint32_t function, const bef::DecodedFunction& body) {
  Effects effects = EffectsOf(body);
  if (effects != Effects::kThoseOfFunctions) return effects == Effects::kNone;
  std::lock_guard lock(mutex_);
  if (is_order_free_.empty()) is_order_free_ = FindAll();
  return is_order_free_[function];
}

// Effects spread from functions to those that run them.
std::vector<uint8_t> OrderFreedom::FindAll() const {
  auto num_functions = static_cast<uint32_t>(view_.functions().size());
  std::vector<uint8_t> is_order_free(num_functions, true);
  std::vector<std::vector<uint32_t>> callers(num_functions);
  std::vector<uint32_t> with_effects;
  auto mark = [&](uint32_t f) {
    if (std::exchange(is_order_free[f], false)) with_effects.push_back(f);
  };
  for (uint32_t f = 0; f < num_functions; ++f) {
    StatusOr<bef::DecodedFunction> body = view_.DecodeFunction(f);
    if (view_.functions()[f].kind != bef::FunctionKind::kAsync || !body.ok() ||
        EffectsOf(*body) == Effects::kOwn) {
      mark(f);
      continue;
    }
    for (const bef::DecodedKernel& kernel : body->kernels()) {
      for (uint32_t callee : kernel.functions()) callers[callee].push_back(f);
    }
  }
  while (!with_effects.empty()) {
    uint32_t f = with_effects.back();
    with_effects.pop_back();
    for (uint32_t caller : callers[f]) mark(caller);
  }
  return is_order_free;
}

}  // namespace tfrt::internal
