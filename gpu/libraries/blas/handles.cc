#include "handles.h"

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::blas {
namespace {

template <typename Library>
StatusOr<const Library*> Find(const char* call) {
  StatusOr<const Library*> library = Library::Get();
  if (library.ok()) return library;
  return Status(library.status().code(),
                StrCat(call, ": CUBLAS_STATUS_NOT_INITIALIZED (", library.status().message(), ")"));
}

}  // namespace

StatusOr<const cublas::Library*> BlasLibrary() { return Find<cublas::Library>("cublasCreate_v2"); }

StatusOr<const cublaslt::Library*> LtLibrary() { return Find<cublaslt::Library>("cublasLtCreate"); }

StatusOr<HandleTraits::Handle> HandleTraits::Create(Context&) {
  TFRT_ASSIGN_OR_RETURN(const cublas::Library* library, BlasLibrary());
  Handle handle = nullptr;
  TFRT_RETURN_IF_ERROR(
      cublas::StatusOf(library->table().cublasCreate_v2(&handle), "cublasCreate_v2"));
  return handle;
}

void HandleTraits::Destroy(Context&, Handle handle) {
  const StatusOr<const cublas::Library*> library = BlasLibrary();
  if (library.ok()) (void)(*library)->table().cublasDestroy_v2(handle);
}

StatusOr<LtHandleTraits::Handle> LtHandleTraits::Create(Context&) {
  TFRT_ASSIGN_OR_RETURN(const cublaslt::Library* library, LtLibrary());
  Handle handle = nullptr;
  TFRT_RETURN_IF_ERROR(
      cublas::StatusOf(library->table().cublasLtCreate(&handle), "cublasLtCreate"));
  return handle;
}

void LtHandleTraits::Destroy(Context&, Handle handle) {
  const StatusOr<const cublaslt::Library*> library = LtLibrary();
  if (library.ok()) (void)(*library)->table().cublasLtDestroy(handle);
}

size_t WorkspaceBytes(const Context& context) {
  constexpr size_t kMiB = size_t{1} << 20;
  return context.compute_capability() >= 90 ? 32 * kMiB : 4 * kMiB;
}

}  // namespace tfrt::gpu::blas
