#include "cublas.h"

#include <cstddef>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cublas {
namespace {

constexpr const char* kNames[] = {"libcublas.so.13", "libcublas.so.12"};

StatusOr<int> VersionOf(const SharedLibrary& library) {
  auto* function =
      reinterpret_cast<decltype(Table::cublasGetProperty)>(library.Find("cublasGetProperty"));
  if (!function) {
    return FailedPreconditionError(StrCat(library.path(), " lacks cublasGetProperty"));
  }
  int parts[3] = {};
  for (libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
    TFRT_RETURN_IF_ERROR(StatusOf(function(part, &parts[part]), "cublasGetProperty"));
  }
  return 10000 * parts[0] + 100 * parts[1] + parts[2];
}

}  // namespace

const VendorFacts& FactsOf(const Table*) {
  static const VendorFacts facts = {
      .product = "cuBLAS",
      .names = kNames,
      .functions = kFunctions,
      .min_version = kMinCublasVersion,
      .version = VersionOf,
      .version_text = VersionText,
  };
  return facts;
}

std::string VersionText(int version) {
  return StrCat(version / 10000, ".", version / 100 % 100, ".", version % 100);
}

StatusCode CodeOf(cublasStatus_t result) {
  switch (result) {
#define TFRT_CUBLAS_CODE(name, value, code) \
  case name:                                \
    return StatusCode::code;
    TFRT_CUBLAS_RESULTS(TFRT_CUBLAS_CODE)
#undef TFRT_CUBLAS_CODE
  }
  return StatusCode::kUnknown;
}

}  // namespace tfrt::gpu::cublas

namespace tfrt::gpu::cublaslt {
namespace {

constexpr const char* kNames[] = {"libcublasLt.so.13", "libcublasLt.so.12"};

StatusOr<int> VersionOf(const SharedLibrary& library) {
  auto* function = reinterpret_cast<size_t (*)()>(library.Find("cublasLtGetVersion"));
  if (!function) {
    return FailedPreconditionError(StrCat(library.path(), " lacks cublasLtGetVersion"));
  }
  return static_cast<int>(function());
}

}  // namespace

const VendorFacts& FactsOf(const Table*) {
  static const VendorFacts facts = {
      .product = "cublasLt",
      .names = kNames,
      .functions = kFunctions,
      .min_version = kMinCublasLtVersion,
      .version = VersionOf,
      .version_text = cublas::VersionText,
  };
  return facts;
}

}  // namespace tfrt::gpu::cublaslt
