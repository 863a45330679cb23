#include "tfrt/eager/arrays/dtypes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lib/api/eager/arrays/arguments.h"
#include "lib/api/eager/promotion.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

constexpr uint32_t Bit(NumberKind kind) { return uint32_t{1} << static_cast<int>(kind); }

constexpr uint32_t kIntegral = Bit(NumberKind::kSigned) | Bit(NumberKind::kUnsigned);
constexpr uint32_t kReal = Bit(NumberKind::kFloat) | Bit(NumberKind::kBFloat);
constexpr uint32_t kComplex = Bit(NumberKind::kComplex);

struct Kind {
  std::string_view name;
  uint32_t kinds;
};
constexpr Kind kKinds[] = {
    {"bool", Bit(NumberKind::kBool)},
    {"signed integer", Bit(NumberKind::kSigned)},
    {"unsigned integer", Bit(NumberKind::kUnsigned)},
    {"integral", kIntegral},
    {"real floating", kReal},
    {"complex floating", kComplex},
    {"numeric", kIntegral | kReal | kComplex},
};

// Complex numbers come first, then floats: integers beside these lose their width.
int KindOrder(DType dtype) {
  const NumberKind kind = ElementTypeOf(dtype).kind;
  return kind == NumberKind::kComplex ? 0 : IsFloat(dtype) ? 1 : 2;
}

}  // namespace

Tensor AsArray(Operand x, std::optional<DType> dtype) {
  const Location where = x.where;
  if (!dtype) return TensorOf(x);
  if (!x.number.is_given()) return CastTo(TensorOf(x), *dtype, where);
  StatusOr<HostArray> array = ArrayOfNumber(x.number, *dtype);
  if (!array.ok()) return Failed("asarray", where, array.status());
  return Tensor::FromArray(*array, where);
}

Tensor AsType(Operand x, DType dtype) {
  const Location where = x.where;
  return CastTo(TensorOf(x), dtype, where);
}

StatusOr<DType> ResultType(std::span<const DType> dtypes) {
  if (dtypes.empty()) return InvalidArgumentError("result_type: there is no dtype");
  std::vector<DType> ordered(dtypes.begin(), dtypes.end());
  std::ranges::stable_sort(ordered, {}, KindOrder);
  DType met = ordered.front();
  for (DType dtype : ordered) {
    const DType both = PromotedDType(met, dtype);
    if (both == DType::kUnsupported) {
      return InvalidArgumentError(StrCat("result_type: elements of ", DTypeName(met), " and of ",
                                         DTypeName(dtype), " do not meet in one dtype"));
    }
    met = both;
  }
  return met;
}

bool CanCast(DType from, DType to) { return PromotedDType(from, to) == to; }

StatusOr<bool> IsDType(DType dtype, std::string_view kind) {
  const auto* found = std::ranges::find(kKinds, kind, &Kind::name);
  if (found != std::end(kKinds)) {
    const NumberKind own = ElementTypeOf(dtype).kind;
    return own != NumberKind::kNone && (found->kinds & Bit(own)) != 0;
  }
  std::string names;
  for (const Kind& each : kKinds) names += StrCat(names.empty() ? "'" : ", '", each.name, "'");
  return InvalidArgumentError(
      StrCat("isdtype: there is no kind '", kind, "'; the kinds are ", names));
}

}  // namespace tfrt::eager::arrays
