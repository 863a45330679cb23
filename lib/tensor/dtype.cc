#include "tfrt/tensor/dtype.h"

#include <cmath>
#include <cstdio>
#include <cstring>

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
    char text[32];
    std::snprintf(text, sizeof(text), "%e", value);
    *out += text;
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

std::string_view DTypeName(DType dtype) {
  switch (dtype) {
    case DType::kUI8:
      return "u8";
    case DType::kUI16:
      return "u16";
    case DType::kUI32:
      return "u32";
    case DType::kUI64:
      return "u64";
    case DType::kI1:
      return "i1";
    case DType::kI8:
      return "i8";
    case DType::kI16:
      return "i16";
    case DType::kI32:
      return "i32";
    case DType::kI64:
      return "i64";
    case DType::kF32:
      return "f32";
    case DType::kF64:
      return "f64";
    case DType::kComplex64:
      return "complex64";
    case DType::kComplex128:
      return "complex128";
    case DType::kF16:
      return "f16";
    case DType::kBF16:
      return "bf16";
    case DType::kString:
      return "str";
    case DType::kResource:
      return "resource";
    case DType::kVariant:
      return "variant";
    case DType::kQUI8:
      return "qu8";
    case DType::kQUI16:
      return "qu16";
    case DType::kQI8:
      return "qi8";
    case DType::kQI16:
      return "qi16";
    case DType::kQI32:
      return "qi32";
    case DType::kUnsupported:
      break;
  }
  return "unsupported";
}

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
