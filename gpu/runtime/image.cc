#include "image.h"

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::internal {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kElf =
    "\x7f"
    "ELF";
constexpr std::string_view kContainer = "\x50\xed\x55\xba";

template <typename T>
T Read(std::string_view image, size_t at) {
  T value;
  std::memcpy(&value, image.data() + at, sizeof(T));
  return value;
}

// Whether bytes [begin, begin + size) are in the image.
bool IsIn(std::string_view image, uint64_t begin, uint64_t size) {
  return begin <= image.size() && size <= image.size() - begin;
}

Status Cut(std::string_view what, uint64_t begin, uint64_t size, std::string_view image) {
  return InvalidArgumentError(StrCat("device code is cut: ", what, " has ", size,
                                     " bytes from byte ", begin, " on, of ", image.size()));
}

// A table of the header: `count` entries of `entry_bytes`, each of which says where a part is.
struct Table {
  const char* part;
  size_t offset, entry_bytes, count;  // where the header has them
  size_t min_entry_bytes;             // of the entries
  size_t part_offset, part_bytes;     // where an entry has them
  bool has_types;                     // kNoBits among them
};
constexpr Table kTables[] = {{"section", 40, 58, 60, 64, 24, 32, true},
                             {"segment", 32, 54, 56, 56, 8, 32, false}};
constexpr uint32_t kNoBits = 8;  // type of sections that are not in the file

Status CheckElf(std::string_view image) {
  constexpr size_t kHeaderBytes = 64;
  constexpr char kClass64 = 2;
  if (image.size() < kHeaderBytes) return Cut("its header", 0, kHeaderBytes, image);
  if (image[4] != kClass64) return InvalidArgumentError("device code is an ELF file of 32 bits");
  for (const Table& table : kTables) {
    const auto begin = Read<uint64_t>(image, table.offset);
    const uint64_t entry_bytes = Read<uint16_t>(image, table.entry_bytes);
    const uint64_t count = Read<uint16_t>(image, table.count);
    if (count == 0) continue;
    if (entry_bytes < table.min_entry_bytes || !IsIn(image, begin, count * entry_bytes)) {
      return Cut(StrCat("its table of ", table.part, "s"), begin, count * entry_bytes, image);
    }
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t entry = begin + i * entry_bytes;
      if (table.has_types && Read<uint32_t>(image, entry + 4) == kNoBits) continue;
      const auto part = Read<uint64_t>(image, entry + table.part_offset);
      const auto size = Read<uint64_t>(image, entry + table.part_bytes);
      if (!IsIn(image, part, size))
        return Cut(StrCat("its ", table.part, " ", i), part, size, image);
    }
  }
  return OkStatus();
}

Status CheckContainer(std::string_view image) {
  constexpr size_t kHeaderBytes = 16;
  if (image.size() < kHeaderBytes) return Cut("its header", 0, kHeaderBytes, image);
  const uint64_t header_bytes = Read<uint16_t>(image, 6);
  const auto bytes = Read<uint64_t>(image, 8);
  if (!IsIn(image, header_bytes, bytes)) return Cut("its container", header_bytes, bytes, image);
  return OkStatus();
}

// --- PTX ---

// The words of a text, and single characters that are none; no comments.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}

  // Empty at the end.
  std::string_view Next() {
    Skip();
    size_t size = 0;
    while (size < rest_.size() && IsOfWord(rest_[size])) ++size;
    if (size == 0 && !rest_.empty()) size = 1;
    std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }

 private:
  static bool IsOfWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%' || c == '.';
  }
  void Skip() {
    for (;;) {
      size_t begin = rest_.find_first_not_of(" \t\r\n\v\f");
      rest_.remove_prefix(begin == rest_.npos ? rest_.size() : begin);
      std::string_view end = rest_.starts_with("//") ? "\n" : rest_.starts_with("/*") ? "*/" : "";
      if (end.empty()) return;
      size_t found = rest_.find(end, 2);
      rest_.remove_prefix(found == rest_.npos ? rest_.size() : found + end.size());
    }
  }

  std::string_view rest_;
};

// ".u64" has 8 bytes; 0 if it is no type of a parameter.
uint32_t TypeBytes(std::string_view word) {
  if (word.size() < 3 || word[0] != '.' || std::string_view("busf").find(word[1]) == word.npos) {
    return 0;
  }
  const std::string_view bits = word.substr(2);
  return bits == "8" ? 1 : bits == "16" ? 2 : bits == "32" ? 4 : bits == "64" ? 8 : 0;
}

// The parameters behind "(".
std::optional<std::vector<uint32_t>> ParseParameters(Words& words) {
  std::vector<uint32_t> sizes;
  uint32_t size = 0;
  bool has_parameters = false;
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    if (word == ".param") {
      has_parameters = true;
      size = 0;
    } else if (uint32_t bytes = TypeBytes(word); bytes != 0 && size == 0) {
      size = bytes;
    } else if (word == "[") {
      const std::string_view count_text = words.Next();
      uint32_t count = 0;
      auto [end, error] =
          std::from_chars(count_text.data(), count_text.data() + count_text.size(), count);
      if (error != std::errc() || end != count_text.data() + count_text.size() || count > 65536) {
        return std::nullopt;
      }
      size *= count;
    } else if (word == "," || word == ")") {
      if (!has_parameters && word == ")") return sizes;
      if (size == 0) return std::nullopt;
      sizes.push_back(size);
      if (word == ")") return sizes;
    }
  }
  return std::nullopt;
}

}  // namespace

Status CheckImage(std::string_view image) {
  if (image.starts_with(kElf)) return CheckElf(image);
  if (image.starts_with(kContainer)) return CheckContainer(image);
  for (char c : image.substr(0, image.find('\0'))) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' && std::string_view("\t\r\n\v\f").find(c) == std::string_view::npos) {
      return InvalidArgumentError("device code is neither text nor a binary that is known");
    }
  }
  return OkStatus();
}

std::optional<std::vector<uint32_t>> ParametersInText(std::string_view image,
                                                      std::string_view entry) {
  if (image.starts_with(kElf) || image.starts_with(kContainer)) return std::nullopt;
  Words words(image.substr(0, image.find('\0')));
  for (std::string_view word = words.Next(); !word.empty(); word = words.Next()) {
    if (word != ".entry" || words.Next() != entry) continue;
    word = words.Next();
    // Without parameters there need not be parentheses.
    return word == "(" ? ParseParameters(words) : std::optional(std::vector<uint32_t>());
  }
  return std::nullopt;
}

}  // namespace tfrt::gpu::internal
