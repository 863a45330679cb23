#include "tfrt/profiler/read_profile.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "lib/profiler/files/json_profile.h"
#include "lib/profiler/files/xspace_profile.h"
#include "lib/profiler/perfetto/perfetto_reader.h"
#include "lib/profiler/source/profile_source.h"
#include "lib/profiler/sqlite_profile.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

struct Format {
  std::string_view name;
  // Whether a file that begins with these bytes, ProfileSource::kNumFirstBytes at most, may be one.
  bool (*sniff)(std::string_view first_bytes);
  Status (*read)(const std::string& path, ProfileConsumer& consumer);
};

// The first one that fits reads the file. XSpaces are asked for first: they begin as Perfetto's do,
// and then with what those do not have.
constexpr Format kFormats[] = {
    {"SQLite", LooksLikeSqlite, ReadSqlite},
    {"JSON (Chrome, ONNX Runtime, PyTorch, TensorFlow)", LooksLikeJsonProfile, ReadJsonProfile},
    {"XSpace", LooksLikeXSpace, ReadXSpace},
    {"Perfetto", LooksLikePerfetto, ReadPerfetto},
};

// "'%PDF-1.4' (25 50 44 46)", at most eight bytes of it.
std::string Show(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  bytes = bytes.substr(0, 8);
  std::string text, numbers;
  for (char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    text += byte >= 0x20 && byte < 0x7f ? c : '.';
    if (!numbers.empty()) numbers += ' ';
    numbers += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return StrCat('\'', text, "' (", numbers, ')');
}

}  // namespace

Status ReadProfile(const std::string& path, ProfileConsumer& consumer) {
  StatusOr<std::unique_ptr<ProfileSource>> source = ProfileSource::Open(path);
  if (!source.ok()) return source.status();
  const std::string_view first_bytes = (*source)->first_bytes();
  std::string known;
  for (const Format& format : kFormats) {
    if (format.sniff(first_bytes)) return format.read(path, consumer);
    known = StrCat(known, known.empty() ? "" : ", ", format.name);
  }
  if (first_bytes.empty()) {
    return InvalidArgumentError(StrCat(path, ": is empty, which is none of: ", known));
  }
  return InvalidArgumentError(
      StrCat(path, ": begins with ", Show(first_bytes), ", which is none of: ", known));
}

StatusOr<Profile> LoadProfile(const std::string& path) {
  ProfileBuilder builder;
  if (Status status = ReadProfile(path, builder); !status.ok()) return status;
  return builder.Build();
}

}  // namespace tfrt::profiler
