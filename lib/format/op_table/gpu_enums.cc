#include "gpu_enums.h"

#include "gpu_enum_table.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr int kTagBits = 2;

const VendorSpelling* FindText(const VendorEnum* vendor, std::string_view text) {
  if (!vendor) return nullptr;
  for (const VendorSpelling& spelling : vendor->spellings) {
    if (spelling.text == text) return &spelling;
  }
  return nullptr;
}

const VendorSpelling* FindNumber(const VendorEnum& vendor, int64_t number) {
  for (const VendorSpelling& spelling : vendor.spellings) {
    if (spelling.number == number) return &spelling;
  }
  return nullptr;
}

// The enumeration that a value belongs to; null where it has no names.
const VendorEnum* VendorOf(const GpuEnumInfo& info, GpuPlatform platform) {
  if (info.encoding == GpuEnumEncoding::kNumber) return info.cuda;
  if (platform == GpuPlatform::kCuda) return info.cuda;
  return platform == GpuPlatform::kRocm ? info.rocm : nullptr;
}

}  // namespace

const GpuEnumInfo& InfoOf(GpuEnum which) { return GpuEnumTable()[static_cast<size_t>(which)]; }

int64_t EncodeGpuEnum(GpuEnum which, GpuPlatform platform, int64_t number) {
  const GpuEnumEncoding encoding = InfoOf(which).encoding;
  if (encoding == GpuEnumEncoding::kNumber) return number;
  const uint64_t bits =
      (static_cast<uint64_t>(number) << kTagBits) | static_cast<uint64_t>(platform);
  if (encoding == GpuEnumEncoding::kTagged64) return static_cast<int64_t>(bits);
  return static_cast<int32_t>(static_cast<uint32_t>(bits));
}

GpuPlatform PlatformOf(GpuEnum which, int64_t value) {
  if (InfoOf(which).encoding == GpuEnumEncoding::kNumber) return GpuPlatform::kNone;
  const auto tag = static_cast<GpuPlatform>(value & ((1 << kTagBits) - 1));
  return tag == GpuPlatform::kCuda || tag == GpuPlatform::kRocm ? tag : GpuPlatform::kNone;
}

int64_t NumberOf(GpuEnum which, int64_t value) {
  switch (InfoOf(which).encoding) {
    case GpuEnumEncoding::kNumber:
      break;
    case GpuEnumEncoding::kTagged32:
      return value >> kTagBits;  // arithmetic: some numbers are negative
    case GpuEnumEncoding::kTagged64:
      return static_cast<int64_t>(static_cast<uint64_t>(value) >> kTagBits);
  }
  return value;
}

std::optional<int64_t> ParseGpuEnum(GpuEnum which, std::string_view text) {
  const GpuEnumInfo& info = InfoOf(which);
  if (const VendorSpelling* found = FindText(info.cuda, text)) {
    return EncodeGpuEnum(which, GpuPlatform::kCuda, found->number);
  }
  if (const VendorSpelling* found = FindText(info.rocm, text)) {
    return EncodeGpuEnum(which, GpuPlatform::kRocm, found->number);
  }
  return std::nullopt;
}

std::string PrintGpuEnum(GpuEnum which, int64_t value) {
  const GpuEnumInfo& info = InfoOf(which);
  const GpuPlatform platform = PlatformOf(which, value);
  const int64_t number = NumberOf(which, value);
  if (const VendorEnum* vendor = VendorOf(info, platform)) {
    if (const VendorSpelling* found = FindNumber(*vendor, number)) return std::string(found->text);
    return StrCat(vendor->type, "(", number, ")");
  }
  if (platform == GpuPlatform::kRocm) return StrCat(number);  // of kTagged64
  if (info.encoding == GpuEnumEncoding::kTagged64) {
    return StrCat(info.name, "(", static_cast<uint64_t>(value), ")");
  }
  return StrCat(info.name, "(", value, ")");
}

DType ScalarOf(GpuEnum which, int64_t value) {
  const VendorEnum* vendor = VendorOf(InfoOf(which), PlatformOf(which, value));
  const VendorSpelling* found = vendor ? FindNumber(*vendor, NumberOf(which, value)) : nullptr;
  return found ? found->scalar : DType::kUnsupported;
}

std::string UnknownGpuEnum(GpuEnum which, std::string_view text) {
  const GpuEnumInfo& info = InfoOf(which);
  if (which == GpuEnum::kPlatform) return StrCat("Invalid platform: ", text);
  std::string message = StrCat("Unknown ", info.cuda->type, ": ", text);
  if (info.rocm) message += StrCat("\nUnknown ", info.rocm->type, ": ", text);
  if (info.encoding == GpuEnumEncoding::kTagged64) {
    message += StrCat("\nNot an uint64_t: ", text);
  }
  return message;
}

}  // namespace tfrt
