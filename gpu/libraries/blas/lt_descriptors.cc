#include "lt_descriptors.h"

namespace tfrt::gpu::blas {
namespace {

using cublaslt::Table;

cublaslt::cublasLtEpilogue_t EpilogueOf(GemmEpilogue epilogue) {
  switch (epilogue) {
    case GemmEpilogue::kNone:
      return cublaslt::CUBLASLT_EPILOGUE_DEFAULT;
    case GemmEpilogue::kBias:
      return cublaslt::CUBLASLT_EPILOGUE_BIAS;
    case GemmEpilogue::kRelu:
      return cublaslt::CUBLASLT_EPILOGUE_RELU;
    case GemmEpilogue::kReluBias:
      return cublaslt::CUBLASLT_EPILOGUE_RELU_BIAS;
    case GemmEpilogue::kGeluTanh:
      return cublaslt::CUBLASLT_EPILOGUE_GELU;
    case GemmEpilogue::kGeluTanhBias:
      return cublaslt::CUBLASLT_EPILOGUE_GELU_BIAS;
  }
  return cublaslt::CUBLASLT_EPILOGUE_DEFAULT;
}

template <typename T>
Status Set(const Table& table, const LtDesc& desc,
           cublaslt::cublasLtMatmulDescAttributes_t attribute, T value) {
  return cublas::StatusOf(
      table.cublasLtMatmulDescSetAttribute(desc.get(), attribute, &value, sizeof(value)),
      "cublasLtMatmulDescSetAttribute");
}

template <typename T>
Status Set(const Table& table, const LtLayout& layout,
           cublaslt::cublasLtMatrixLayoutAttribute_t attribute, T value) {
  return cublas::StatusOf(
      table.cublasLtMatrixLayoutSetAttribute(layout.get(), attribute, &value, sizeof(value)),
      "cublasLtMatrixLayoutSetAttribute");
}

template <typename T>
Status Set(const Table& table, const LtPreference& preference,
           cublaslt::cublasLtMatmulPreferenceAttributes_t attribute, T value) {
  return cublas::StatusOf(table.cublasLtMatmulPreferenceSetAttribute(preference.get(), attribute,
                                                                     &value, sizeof(value)),
                          "cublasLtMatmulPreferenceSetAttribute");
}

Status MakeLayout(const Table& table, LtLayout* layout, cublas::cudaDataType type, int64_t rows,
                  int64_t cols, int64_t ld, int64_t batch_count, int64_t stride) {
  TFRT_RETURN_IF_ERROR(cublas::StatusOf(
      table.cublasLtMatrixLayoutCreate(layout->to_make(), type, static_cast<uint64_t>(rows),
                                       static_cast<uint64_t>(cols), ld),
      "cublasLtMatrixLayoutCreate"));
  if (batch_count == 1) return OkStatus();
  TFRT_RETURN_IF_ERROR(Set(table, *layout, cublaslt::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                           static_cast<int32_t>(batch_count)));
  return Set(table, *layout, cublaslt::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
}

}  // namespace

StatusOr<LtDescriptors> LtDescriptors::Make(const Table& table, const Gemm& gemm, uint64_t bias) {
  LtDescriptors made{LtDesc(table), LtLayout(table), LtLayout(table), LtLayout(table)};
  TFRT_RETURN_IF_ERROR(
      cublas::StatusOf(table.cublasLtMatmulDescCreate(made.desc.to_make(), gemm.compute,
                                                      ScaleTypeOf(gemm.compute, gemm.c_type)),
                       "cublasLtMatmulDescCreate"));
  TFRT_RETURN_IF_ERROR(Set(table, made.desc, cublaslt::CUBLASLT_MATMUL_DESC_TRANSA, gemm.transa));
  TFRT_RETURN_IF_ERROR(Set(table, made.desc, cublaslt::CUBLASLT_MATMUL_DESC_TRANSB, gemm.transb));
  TFRT_RETURN_IF_ERROR(
      Set(table, made.desc, cublaslt::CUBLASLT_MATMUL_DESC_EPILOGUE, EpilogueOf(gemm.epilogue)));
  if (HasBias(gemm.epilogue)) {
    TFRT_RETURN_IF_ERROR(Set(table, made.desc, cublaslt::CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias));
  }
  const bool is_a_plain = gemm.transa == cublas::CUBLAS_OP_N;
  const bool is_b_plain = gemm.transb == cublas::CUBLAS_OP_N;
  TFRT_RETURN_IF_ERROR(MakeLayout(table, &made.a, gemm.a_type, is_a_plain ? gemm.m : gemm.k,
                                  is_a_plain ? gemm.k : gemm.m, gemm.lda, gemm.batch_count,
                                  gemm.stride_a));
  TFRT_RETURN_IF_ERROR(MakeLayout(table, &made.b, gemm.b_type, is_b_plain ? gemm.k : gemm.n,
                                  is_b_plain ? gemm.n : gemm.k, gemm.ldb, gemm.batch_count,
                                  gemm.stride_b));
  TFRT_RETURN_IF_ERROR(MakeLayout(table, &made.c, gemm.c_type, gemm.m, gemm.n, gemm.ldc,
                                  gemm.batch_count, gemm.stride_c));
  return made;
}

StatusOr<LtPreference> MakeLtPreference(const Table& table, size_t workspace_bytes,
                                        uint32_t alignment_a, uint32_t alignment_b,
                                        uint32_t alignment_c) {
  LtPreference made(table);
  TFRT_RETURN_IF_ERROR(cublas::StatusOf(table.cublasLtMatmulPreferenceCreate(made.to_make()),
                                        "cublasLtMatmulPreferenceCreate"));
  TFRT_RETURN_IF_ERROR(Set(table, made, cublaslt::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                           static_cast<uint64_t>(workspace_bytes)));
  // Parts of sums are added in the workspace, in a fixed order, and not in place: results are the
  // same in every run. 1 would be in place. 4 would keep the parts in the type of the result, in
  // which those of f16 may be infinite although the sum is not.
  TFRT_RETURN_IF_ERROR(
      Set(table, made, cublaslt::CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, uint32_t{2}));
  TFRT_RETURN_IF_ERROR(
      Set(table, made, cublaslt::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_a));
  TFRT_RETURN_IF_ERROR(
      Set(table, made, cublaslt::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_b));
  TFRT_RETURN_IF_ERROR(
      Set(table, made, cublaslt::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_c));
  TFRT_RETURN_IF_ERROR(
      Set(table, made, cublaslt::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_c));
  return made;
}

}  // namespace tfrt::gpu::blas
