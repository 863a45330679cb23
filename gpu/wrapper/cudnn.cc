#include "cudnn.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cudnn {
namespace {

constexpr const char* kNames[] = {"libcudnn.so.9"};

StatusOr<int> VersionOf(const SharedLibrary& library) {
  auto* function = reinterpret_cast<size_t (*)()>(library.Find("cudnnGetVersion"));
  if (!function) {
    return FailedPreconditionError(StrCat(library.path(), " lacks cudnnGetVersion"));
  }
  return static_cast<int>(function());
}

}  // namespace

const VendorFacts& FactsOf(const Table*) {
  static const VendorFacts facts = {
      .product = "cuDNN",
      .names = kNames,
      .functions = kFunctions,
      .min_version = kMinCudnnVersion,
      .version = VersionOf,
      .version_text = VersionText,
  };
  return facts;
}

std::string VersionText(int version) {
  // kMinCudnnVersion says how versions count.
  const int major = version >= 10000 ? version / 10000 : version / 1000;
  const int rest = version >= 10000 ? version % 10000 : version % 1000;
  return StrCat(major, ".", rest / 100, ".", rest % 100);
}

Status StatusOf(const Table& table, cudnnStatus_t result, std::string_view what) {
  if (result == CUDNN_STATUS_SUCCESS) [[likely]]
    return OkStatus();
  std::string_view name = ResultName(result);
  if (name.empty()) {
    const char* text = table.cudnnGetErrorString(result);
    name = text ? text : "";
  }
  std::string message = internal::LibraryErrorText(what, name, static_cast<uint32_t>(result));
  char said[512] = "";
  table.cudnnGetLastErrorString(said, sizeof(said));
  std::string_view line(said, strnlen(said, sizeof(said)));
  line = line.substr(0, line.find('\n'));
  if (!line.empty() && line != name) message += StrCat(" (", line, ")");
  return Status(CodeOf(result), std::move(message));
}

StatusCode CodeOf(cudnnStatus_t result) {
  switch (result) {
#define TFRT_CUDNN_CODE(name, value, code) \
  case name:                               \
    return StatusCode::code;
    TFRT_CUDNN_RESULTS(TFRT_CUDNN_CODE)
#undef TFRT_CUDNN_CODE
  }
  return StatusCode::kUnknown;
}

}  // namespace tfrt::gpu::cudnn
