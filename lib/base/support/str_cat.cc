#include "tfrt/support/str_cat.h"

#include "decimal_text.h"

namespace tfrt {

void StrPiece::AppendTo(std::string* out) const {
  switch (kind_) {
    case kText:
      *out += text_;
      break;
    case kCharacter:
      *out += static_cast<char>(signed_);
      break;
    case kSigned:
      *out += std::to_string(signed_);
      break;
    case kUnsigned:
      *out += std::to_string(unsigned_);
      break;
    case kFloating:
      *out += DecimalText(floating_, std::chars_format::fixed, 6);
      break;
  }
}

std::string ConcatPieces(std::initializer_list<StrPiece> pieces) {
  std::string out;
  for (const StrPiece& piece : pieces) piece.AppendTo(&out);
  return out;
}

}  // namespace tfrt
