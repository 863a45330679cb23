#include "tfrt/tensor/dtype.h"

#include <cmath>
#include <cstring>

#include "lib/base/support/decimal_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

template <typename T>
T Load(const void* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

// "%e", except for the spelling of the values that are not finite.
void AppendScientific(double value, std::string* out) {
  if (std::isnan(value)) {
    *out += "nan";
  } else if (std::isinf(value)) {
    *out += value < 0 ? "-INF" : "INF";
  } else {
    *out += DecimalText(value, std::chars_format::scientific, 6);
  }
}

template <typename T>
void AppendComplex(const void* data, std::string* out) {
  *out += '(';
  AppendScientific(Load<T>(data), out);
  *out += ',';
  AppendScientific(Load<T>(static_cast<const char*>(data) + sizeof(T)), out);
  *out += ')';
}

}  // namespace

void AppendElement(DType dtype, const void* data, std::string* out) {
  switch (dtype) {
    case DType::kUI8:
      *out += StrCat(Load<uint8_t>(data));
      return;
    case DType::kUI16:
      *out += StrCat(Load<uint16_t>(data));
      return;
    case DType::kUI32:
      *out += StrCat(Load<uint32_t>(data));
      return;
    case DType::kUI64:
      *out += StrCat(Load<uint64_t>(data));
      return;
    case DType::kI1:
      *out += Load<uint8_t>(data) ? '1' : '0';
      return;
    case DType::kI8:
      *out += StrCat(Load<int8_t>(data));
      return;
    case DType::kI16:
      *out += StrCat(Load<int16_t>(data));
      return;
    case DType::kI32:
      *out += StrCat(Load<int32_t>(data));
      return;
    case DType::kI64:
      *out += StrCat(Load<int64_t>(data));
      return;
    case DType::kF32:
      AppendScientific(Load<float>(data), out);
      return;
    case DType::kF64:
      AppendScientific(Load<double>(data), out);
      return;
    case DType::kComplex64:
      AppendComplex<float>(data, out);
      return;
    case DType::kComplex128:
      AppendComplex<double>(data, out);
      return;
    case DType::kF16:
      *out += StrCat("fp16(", Load<uint16_t>(data), ")");
      return;
    case DType::kBF16:
      *out += StrCat("bf16(", Load<uint16_t>(data), ")");
      return;
    case DType::kQUI8:
      *out += StrCat("qu8(", Load<uint8_t>(data), ")");
      return;
    case DType::kQUI16:
      *out += StrCat("qu16(", Load<uint16_t>(data), ")");
      return;
    case DType::kQI8:
      *out += StrCat("qi8(", Load<int8_t>(data), ")");
      return;
    case DType::kQI16:
      *out += StrCat("qi16(", Load<int16_t>(data), ")");
      return;
    case DType::kQI32:
      *out += StrCat("qi32(", Load<int32_t>(data), ")");
      return;
    case DType::kString:
    case DType::kResource:
    case DType::kVariant:
    case DType::kUnsupported:
      break;
  }
  *out += '?';
}

}  // namespace tfrt
