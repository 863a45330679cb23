// Bytes written as text, for expected dumps.
#ifndef TFRT_TEST_UNIT_BEF_BYTES_FROM_TEXT_H_
#define TFRT_TEST_UNIT_BEF_BYTES_FROM_TEXT_H_

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace tfrt::bef {

// "0b ef" are two bytes; a token of eight digits is a 32-bit number, little endian in the result; a
// token in quotes is its characters without terminator.
inline std::vector<uint8_t> Bytes(const std::string& text) {
  std::vector<uint8_t> bytes;
  std::istringstream in(text);
  std::string token;
  while (in >> token) {
    if (token[0] == '\'') {
      bytes.insert(bytes.end(), token.begin() + 1, token.end() - 1);
      continue;
    }
    uint64_t value = std::stoull(token, nullptr, 16);
    for (size_t i = 0; i < token.size() / 2; ++i) {
      bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
    }
  }
  return bytes;
}

}  // namespace tfrt::bef

#endif  // TFRT_TEST_UNIT_BEF_BYTES_FROM_TEXT_H_
