#include "scatter.h"

#include <type_traits>

#include "element_size.h"
#include "lib/runtime/tensor/cast.h"
#include "lib/runtime/tensor/dtype_dispatch.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::cpu {
namespace {

template <typename T>
struct Put {
  void operator()(T& element, T update) const { element = update; }
};
template <typename T>
struct Add {
  void operator()(T& element, T update) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      using Unsigned = std::make_unsigned_t<T>;
      element = static_cast<T>(static_cast<Unsigned>(element) + static_cast<Unsigned>(update));
    } else {
      element = static_cast<T>(element + update);
    }
  }
};
template <typename T>
struct Multiply {
  void operator()(T& element, T update) const {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      // Wide enough not to be promoted to a signed type that overflows.
      element = static_cast<T>(static_cast<uint64_t>(element) * static_cast<uint64_t>(update));
    } else {
      element = static_cast<T>(element * update);
    }
  }
};
template <typename T>
struct Maximum {
  void operator()(T& element, T update) const {
    if (!(update <= element) && element == element) element = update;
  }
};
template <typename T>
struct Minimum {
  void operator()(T& element, T update) const {
    if (!(update >= element) && element == element) element = update;
  }
};

// Calls fn(std::type_identity<T>(), combine), for the reduction on elements of the dtype.
template <typename F>
void WithCombination(Reduction reduction, DType dtype, F&& fn) {
  if (reduction == Reduction::kNone) {
    WithElementOfSize(DTypeSize(dtype),
                      [&]<typename T>(std::type_identity<T> type) { fn(type, Put<T>()); });
    return;
  }
  DispatchDType(dtype, [&]<typename T>(std::type_identity<T> type) {
    if (reduction == Reduction::kAdd) return fn(type, Add<T>());
    if (reduction == Reduction::kMul) return fn(type, Multiply<T>());
    if constexpr (!tfrt::internal::kIsComplex<T>) {
      if (reduction == Reduction::kMax) return fn(type, Maximum<T>());
      if (reduction == Reduction::kMin) return fn(type, Minimum<T>());
    }
  });
}

}  // namespace

StatusOr<Reduction> ReductionOf(std::string_view name, DType dtype) {
  if (name == "none") return Reduction::kNone;
  const bool is_extreme = name == "max" || name == "min";
  if (name != "add" && name != "mul" && !is_extreme) {
    return InvalidArgumentError(StrCat("unknown reduction '", name, "'"));
  }
  const NumberKind kind = ElementTypeOf(dtype).kind;
  if (kind == NumberKind::kNone || (is_extreme && kind == NumberKind::kComplex)) {
    return InvalidArgumentError(
        StrCat("elements of ", DTypeName(dtype), " have no reduction '", name, "'"));
  }
  if (name == "add") return Reduction::kAdd;
  if (name == "mul") return Reduction::kMul;
  return name == "max" ? Reduction::kMax : Reduction::kMin;
}

template <typename Index>
void ScatterElements(const ElementPlaces& places, Reduction reduction, DType dtype,
                     const Index* indices, const void* updates, void* out) {
  WithCombination(reduction, dtype, [&]<typename T>(std::type_identity<T>, auto combine) {
    const T* from = static_cast<const T*>(updates);
    T* to = static_cast<T*>(out);
    places.ForEach(indices, 0, places.outer.num_elements(), [&](int64_t i, int64_t offset) {
      if (offset >= 0) combine(to[offset], from[i]);
    });
  });
}

template <typename Index>
void ScatterNd(const GatherNdPlan& plan, Reduction reduction, DType dtype, const Index* indices,
               int64_t rows, const void* updates, void* out) {
  WithCombination(reduction, dtype, [&]<typename T>(std::type_identity<T>, auto combine) {
    const auto count = static_cast<int64_t>(plan.slice_bytes / sizeof(T));
    const T* from = static_cast<const T*>(updates);
    for (int64_t row = 0; row < rows; ++row, from += count) {
      const int64_t slice = SliceOf(plan, indices, row);
      if (slice < 0) continue;
      T* to = static_cast<T*>(out) + slice * count;
      for (int64_t i = 0; i < count; ++i) combine(to[i], from[i]);
    }
  });
}

#define TFRT_INSTANTIATE(Index)                                                                    \
  template void ScatterElements(const ElementPlaces&, Reduction, DType, const Index*, const void*, \
                                void*);                                                            \
  template void ScatterNd(const GatherNdPlan&, Reduction, DType, const Index*, int64_t,            \
                          const void*, void*);
TFRT_INSTANTIATE(int32_t)
TFRT_INSTANTIATE(int64_t)
#undef TFRT_INSTANTIATE

}  // namespace tfrt::cpu
