// The descriptors of cublasLt for one product.
#ifndef TFRT_GPU_LIBRARIES_BLAS_LT_DESCRIPTORS_H_
#define TFRT_GPU_LIBRARIES_BLAS_LT_DESCRIPTORS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "gemm.h"
#include "gpu/abi/cublaslt_table.h"
#include "gpu/wrapper/cublas.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::blas {

// Owns a descriptor, which `destroy`, a member of the library's table, ends.
template <typename H, cublas::cublasStatus_t (*cublaslt::Table::*destroy)(H)>
class LtObject {
 public:
  explicit LtObject(const cublaslt::Table& table) : table_(&table) {}
  LtObject(LtObject&& other) noexcept
      : table_(other.table_), handle_(std::exchange(other.handle_, nullptr)) {}
  LtObject& operator=(LtObject&&) = delete;
  ~LtObject() {
    if (handle_) (void)(table_->*destroy)(handle_);
  }
  H get() const { return handle_; }
  H* to_make() { return &handle_; }

 private:
  const cublaslt::Table* table_;
  H handle_ = nullptr;
};
using LtDesc =
    LtObject<cublaslt::cublasLtMatmulDesc_t, &cublaslt::Table::cublasLtMatmulDescDestroy>;
using LtLayout =
    LtObject<cublaslt::cublasLtMatrixLayout_t, &cublaslt::Table::cublasLtMatrixLayoutDestroy>;
using LtPreference = LtObject<cublaslt::cublasLtMatmulPreference_t,
                              &cublaslt::Table::cublasLtMatmulPreferenceDestroy>;

// All descriptors of a product. C is the result as well.
struct LtDescriptors {
  LtDesc desc;
  LtLayout a, b, c;

  static StatusOr<LtDescriptors> Make(const cublaslt::Table& table, const Gemm& gemm,
                                      uint64_t bias);
};

// Returns the preference for products whose operands are aligned to these bytes.
StatusOr<LtPreference> MakeLtPreference(const cublaslt::Table& table, size_t workspace_bytes,
                                        uint32_t alignment_a, uint32_t alignment_b,
                                        uint32_t alignment_c);

}  // namespace tfrt::gpu::blas

#endif  // TFRT_GPU_LIBRARIES_BLAS_LT_DESCRIPTORS_H_
