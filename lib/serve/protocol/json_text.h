// Writes JSON texts.
#ifndef TFRT_LIB_SERVE_PROTOCOL_JSON_TEXT_H_
#define TFRT_LIB_SERVE_PROTOCOL_JSON_TEXT_H_

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tfrt::serve {

// Writes one JSON value, member by member; commas are added where they are needed. The caller
// closes what it opens.
//
//   JsonText json;
//   json.Open('{').Key("name").Text("m").Key("shape").Open('[').Number(1).Close(']').Close('}');
class JsonText {
 public:
  // An object '{' or an array '['.
  JsonText& Open(char bracket);
  JsonText& Close(char bracket);
  // The name of the next member. `key` needs no escapes.
  JsonText& Key(std::string_view key);
  // A string. Bytes that are no UTF-8 become U+FFFD.
  JsonText& Text(std::string_view text);
  JsonText& Bool(bool value);
  JsonText& Number(std::signed_integral auto number) { return Signed(number); }
  JsonText& Number(std::unsigned_integral auto number) { return Unsigned(number); }
  // The shortest digits that are read as the same number, which must be finite. Not those of an
  // integer where that would be another number, or one too large for readers: -0.0.
  JsonText& Number(double number);
  JsonText& Number(float number);
  // Writes each of the numbers as Number does, but faster. Returns false if one is not finite: the
  // text is then of no use.
  bool Numbers(std::span<const double> numbers);
  bool Numbers(std::span<const float> numbers);

  const std::string& text() const { return text_; }
  std::string Take() && { return std::move(text_); }

 private:
  JsonText& Signed(int64_t number);
  JsonText& Unsigned(uint64_t number);
  void Separate();

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace tfrt::serve

#endif  // TFRT_LIB_SERVE_PROTOCOL_JSON_TEXT_H_
