// Entry points of libcublasLt.so.
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "gemm.h"
#include "gpu/abi/cublaslt_exports.h"
#include "handles.h"

namespace tfrt::gpu::cublas_double {

using namespace cublaslt;  // NOLINT: the vendor's names

namespace {

// Values of attributes, as they were set.
struct Attributes {
  std::map<uint32_t, std::vector<std::byte>> values;

  template <typename T>
  T Get(uint32_t attribute, T otherwise) const {
    auto found = values.find(attribute);
    if (found == values.end()) return otherwise;
    T value;
    std::memcpy(&value, found->second.data(), sizeof(value));
    return value;
  }
  // INVALID_VALUE for a value of another size. What a value means is checked by its users.
  cublasStatus_t Set(uint32_t attribute, const void* value, size_t size_bytes,
                     std::optional<size_t> expected_bytes) {
    TFRT_BLAS_CHECK(value && expected_bytes && *expected_bytes == size_bytes);
    const auto* bytes = static_cast<const std::byte*>(value);
    values[attribute].assign(bytes, bytes + size_bytes);
    return CUBLAS_STATUS_SUCCESS;
  }
};

struct MatmulDesc : Attributes {
  cublasComputeType_t compute_type;
  cudaDataType scale_type;
};
struct MatrixLayout : Attributes {
  cudaDataType type;
  uint64_t rows, cols;
  int64_t ld;
};
struct Preference : Attributes {};

using LtHandles = Objects<LibraryHandle, cublasLtHandle_t>;
using Descs = Objects<MatmulDesc, cublasLtMatmulDesc_t>;
using Layouts = Objects<MatrixLayout, cublasLtMatrixLayout_t>;
using Preferences = Objects<Preference, cublasLtMatmulPreference_t>;

std::optional<size_t> SizeOf(cublasLtMatmulDescAttributes_t attribute) {
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
    case CUBLASLT_MATMUL_DESC_TRANSB:
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return 4;
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return 8;
  }
  return std::nullopt;
}

std::optional<size_t> SizeOf(cublasLtMatrixLayoutAttribute_t attribute) {
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return 4;
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return 8;
  }
  return std::nullopt;
}

std::optional<size_t> SizeOf(cublasLtMatmulPreferenceAttributes_t attribute) {
  return attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? 8 : 4;
}

// An algorithm of this library: what it needs of its operands, and of its workspace.
struct Algorithm {
  uint64_t alignment_bytes;  // of all matrices; 0: not one of ours
  uint64_t workspace_bytes;
  uint64_t shape;  // a product that it was not found for is refused
};

Algorithm AlgorithmOf(const cublasLtMatmulAlgo_t& algo) {
  return {algo.data[0], algo.data[1], algo.data[2]};
}

// A number of what decides about algorithms beside addresses.
uint64_t ShapeOf(const Product& product, uint32_t epilogue, cublasComputeType_t compute_type) {
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](auto value) { hash = (hash ^ static_cast<uint64_t>(value)) * 0x100000001b3; };
  for (const Matrices* matrices : {&product.a, &product.b, &product.c, &product.d}) {
    add(matrices->type), add(matrices->rows), add(matrices->cols), add(matrices->ld);
    add(matrices->stride);
  }
  add(product.transa), add(product.transb), add(product.batch_count), add(epilogue);
  add(compute_type);
  return hash;
}

bool IsEpilogue(uint32_t epilogue) {
  return epilogue == CUBLASLT_EPILOGUE_DEFAULT || epilogue == CUBLASLT_EPILOGUE_RELU ||
         epilogue == CUBLASLT_EPILOGUE_BIAS || epilogue == CUBLASLT_EPILOGUE_RELU_BIAS ||
         epilogue == CUBLASLT_EPILOGUE_GELU || epilogue == CUBLASLT_EPILOGUE_GELU_BIAS;
}

cublasStatus_t ReadLayout(cublasLtMatrixLayout_t layout, Matrices* matrices, int64_t* batch_count) {
  std::shared_ptr<MatrixLayout> found = Layouts::All().Find(layout);
  TFRT_BLAS_CHECK(found);
  matrices->type = found->type;
  matrices->rows = static_cast<int64_t>(found->rows);
  matrices->cols = static_cast<int64_t>(found->cols);
  matrices->ld = found->ld;
  matrices->stride = found->Get<int64_t>(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, 0);
  *batch_count = found->Get<int32_t>(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 1);
  TFRT_BLAS_CHECK(matrices->rows > 0 && matrices->cols > 0 && matrices->ld >= matrices->rows);
  TFRT_BLAS_CHECK(*batch_count > 0);
  return CUBLAS_STATUS_SUCCESS;
}

// What descriptors and layouts say together; INVALID_VALUE if they contradict each other,
// NOT_SUPPORTED for what no algorithm computes.
cublasStatus_t ReadProduct(cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                           cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                           cublasLtMatrixLayout_t d, Product* product, uint64_t* shape) {
  std::shared_ptr<MatmulDesc> found = Descs::All().Find(desc);
  TFRT_BLAS_CHECK(found);
  int64_t batch_counts[4];
  TFRT_BLAS_RETURN_IF_FAILED(ReadLayout(a, &product->a, &batch_counts[0]));
  TFRT_BLAS_RETURN_IF_FAILED(ReadLayout(b, &product->b, &batch_counts[1]));
  TFRT_BLAS_RETURN_IF_FAILED(ReadLayout(c, &product->c, &batch_counts[2]));
  TFRT_BLAS_RETURN_IF_FAILED(ReadLayout(d, &product->d, &batch_counts[3]));
  product->batch_count = batch_counts[3];
  for (int64_t count : batch_counts) TFRT_BLAS_CHECK(count == product->batch_count);
  product->transa = found->Get(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_N);
  product->transb = found->Get(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
  TFRT_BLAS_CHECK(IsOperation(product->transa) && IsOperation(product->transb));
  product->m = product->d.rows;
  product->n = product->d.cols;
  const bool is_a_plain = product->transa == CUBLAS_OP_N,
             is_b_plain = product->transb == CUBLAS_OP_N;
  product->k = is_a_plain ? product->a.cols : product->a.rows;
  TFRT_BLAS_CHECK((is_a_plain ? product->a.rows : product->a.cols) == product->m);
  TFRT_BLAS_CHECK((is_b_plain ? product->b.rows : product->b.cols) == product->k);
  TFRT_BLAS_CHECK((is_b_plain ? product->b.cols : product->b.rows) == product->n);
  TFRT_BLAS_CHECK(product->c.rows == product->m && product->c.cols == product->n);
  const auto epilogue =
      found->Get<uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DEFAULT);
  TFRT_BLAS_CHECK_SUPPORT(IsEpilogue(epilogue));
  const std::optional<cudaDataType> scale_type =
      ScaleTypeOf(found->compute_type, product->a.type, product->b.type, product->c.type);
  TFRT_BLAS_CHECK_SUPPORT(scale_type && *scale_type == found->scale_type);
  TFRT_BLAS_CHECK_SUPPORT(product->c.type == product->d.type);
  // Integers are for other layouts of memory; epilogues are those of real numbers of 16 or 32 bits.
  TFRT_BLAS_CHECK_SUPPORT(*scale_type != CUDA_R_32I);
  TFRT_BLAS_CHECK_SUPPORT(epilogue == CUBLASLT_EPILOGUE_DEFAULT || *scale_type == CUDA_R_32F ||
                          *scale_type == CUDA_R_16F);
  product->scale_type = *scale_type;
  if (epilogue & CUBLASLT_EPILOGUE_RELU) product->activation = Activation::kRelu;
  if (epilogue & CUBLASLT_EPILOGUE_GELU) product->activation = Activation::kGeluTanh;
  if (epilogue & CUBLASLT_EPILOGUE_BIAS) {
    product->bias = found->Get<uint64_t>(CUBLASLT_MATMUL_DESC_BIAS_POINTER, 0);
    TFRT_BLAS_CHECK(product->bias != 0);
  }
  *shape = ShapeOf(*product, epilogue, found->compute_type);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t GetLtHandle(cublasLtHandle_t handle, std::shared_ptr<LibraryHandle>* found) {
  *found = LtHandles::All().Find(handle);
  if (!*found) return CUBLAS_STATUS_NOT_INITIALIZED;
  TFRT_BLAS_CHECK(IsCurrent(**found));
  return CUBLAS_STATUS_SUCCESS;
}

// The algorithm for products whose matrices are aligned so. One for vectors of 16 bytes needs a
// workspace, if there may be one; the others load element by element.
std::vector<Algorithm> AlgorithmsFor(const Product& product, const Preference& preference,
                                     uint64_t shape) {
  uint64_t alignment = 256;
  for (uint32_t attribute :
       {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES}) {
    alignment = std::min<uint64_t>(alignment, preference.Get<uint32_t>(attribute, 256));
  }
  bool has_vectors = alignment >= 16;
  uint64_t element_bytes = 1;
  for (const Matrices* matrices : {&product.a, &product.b, &product.c, &product.d}) {
    const auto bytes = static_cast<uint64_t>(matrices->element_bytes());
    element_bytes = std::max(element_bytes, bytes);
    has_vectors = has_vectors && static_cast<uint64_t>(matrices->ld) * bytes % 16 == 0 &&
                  static_cast<uint64_t>(matrices->stride) * bytes % 16 == 0;
  }
  constexpr uint64_t kWorkspaceBytes = 1 << 20;
  std::vector<Algorithm> algorithms;
  if (has_vectors) {
    const auto most = preference.Get<uint64_t>(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, 0);
    if (most >= kWorkspaceBytes) algorithms.push_back({16, kWorkspaceBytes, shape});
    algorithms.push_back({16, 0, shape});
  }
  if (alignment >= element_bytes) algorithms.push_back({element_bytes, 0, shape});
  return algorithms;
}

template <typename Object, typename Handle>
cublasStatus_t MakeObject(std::shared_ptr<Object> object, Handle* handle) {
  TFRT_BLAS_CHECK(handle);
  *handle = Objects<Object, Handle>::All().Add(std::move(object));
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Table, typename Handle, typename Attribute>
cublasStatus_t SetAttribute(Handle handle, Attribute attribute, const void* value,
                            size_t size_bytes) {
  auto found = Table::All().Find(handle);
  TFRT_BLAS_CHECK(found);
  return found->Set(attribute, value, size_bytes, SizeOf(attribute));
}

}  // namespace
}  // namespace tfrt::gpu::cublas_double

namespace tfrt::gpu::cublaslt {
using namespace cublas_double;  // NOLINT

extern "C" {

size_t cublasLtGetVersion() { return tfrtDoubleLibraryVersion("cublaslt", 130100); }

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  return Enter("cublasLtCreate", [&]() -> cublasStatus_t {
    TFRT_BLAS_CHECK(handle);
    std::shared_ptr<LibraryHandle> made;
    TFRT_BLAS_RETURN_IF_FAILED(MakeHandle(&made));
    return MakeObject(std::move(made), handle);
  });
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return Enter("cublasLtDestroy", [&]() -> cublasStatus_t {
    std::shared_ptr<LibraryHandle> found;
    TFRT_BLAS_RETURN_IF_FAILED(GetLtHandle(handle, &found));
    LtHandles::All().Remove(handle);
    (void)cuda::cuMemFree_v2(found->memory);  // the device may be lost
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc,
                                        cublasComputeType_t compute_type, cudaDataType scale_type) {
  return Enter("cublasLtMatmulDescCreate", [&] {
    return MakeObject(std::make_shared<MatmulDesc>(MatmulDesc{{}, compute_type, scale_type}), desc);
  });
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  return Enter("cublasLtMatmulDescDestroy", [&] {
    return Descs::All().Remove(desc) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
  });
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t size_bytes) {
  return Enter("cublasLtMatmulDescSetAttribute",
               [&] { return SetAttribute<Descs>(desc, attribute, value, size_bytes); });
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld) {
  return Enter("cublasLtMatrixLayoutCreate", [&] {
    return MakeObject(std::make_shared<MatrixLayout>(MatrixLayout{{}, type, rows, cols, ld}),
                      layout);
  });
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  return Enter("cublasLtMatrixLayoutDestroy", [&] {
    return Layouts::All().Remove(layout) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
  });
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* value, size_t size_bytes) {
  return Enter("cublasLtMatrixLayoutSetAttribute",
               [&] { return SetAttribute<Layouts>(layout, attribute, value, size_bytes); });
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return Enter("cublasLtMatmulPreferenceCreate",
               [&] { return MakeObject(std::make_shared<Preference>(), preference); });
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return Enter("cublasLtMatmulPreferenceDestroy", [&] {
    return Preferences::All().Remove(preference) ? CUBLAS_STATUS_SUCCESS
                                                 : CUBLAS_STATUS_INVALID_VALUE;
  });
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, size_t size_bytes) {
  return Enter("cublasLtMatmulPreferenceSetAttribute",
               [&] { return SetAttribute<Preferences>(preference, attribute, value, size_bytes); });
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t* results,
                                              int* returned) {
  return Enter("cublasLtMatmulAlgoGetHeuristic", [&]() -> cublasStatus_t {
    std::shared_ptr<LibraryHandle> found;
    TFRT_BLAS_RETURN_IF_FAILED(GetLtHandle(handle, &found));
    TFRT_BLAS_CHECK(results && returned && requested > 0);
    *returned = 0;
    std::shared_ptr<Preference> prefers = Preferences::All().Find(preference);
    TFRT_BLAS_CHECK(prefers);
    Product product;
    uint64_t shape = 0;
    TFRT_BLAS_RETURN_IF_FAILED(ReadProduct(desc, a, b, c, d, &product, &shape));
    for (const Algorithm& algorithm : AlgorithmsFor(product, *prefers, shape)) {
      if (*returned == requested) break;
      cublasLtMatmulHeuristicResult_t& result = results[(*returned)++];
      result = {};
      result.algo.data[0] = algorithm.alignment_bytes;
      result.algo.data[1] = algorithm.workspace_bytes;
      result.algo.data[2] = algorithm.shape;
      result.workspaceSize = algorithm.workspace_bytes;
      result.state = CUBLAS_STATUS_SUCCESS;
      result.wavesCount = 1;
    }
    return *returned > 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
  });
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algo,
                              void* workspace, size_t workspace_bytes, CUstream stream) {
  return Enter("cublasLtMatmul", [&]() -> cublasStatus_t {
    std::shared_ptr<LibraryHandle> found;
    TFRT_BLAS_RETURN_IF_FAILED(GetLtHandle(handle, &found));
    TFRT_BLAS_CHECK(IsOfContext(stream, *found));
    TFRT_BLAS_CHECK(alpha && a && b && beta && d && algo);
    Product product;
    uint64_t shape = 0;
    TFRT_BLAS_RETURN_IF_FAILED(
        ReadProduct(desc, a_layout, b_layout, c_layout, d_layout, &product, &shape));
    product.a.address = AddressOf(a);
    product.b.address = AddressOf(b);
    product.c.address = AddressOf(c);
    product.d.address = AddressOf(d);
    product.alpha = ReadScalar(product.scale_type, alpha);
    product.beta = ReadScalar(product.scale_type, beta);
    TFRT_BLAS_CHECK(c || product.beta == 0.0);
    const Algorithm algorithm = AlgorithmOf(*algo);
    TFRT_BLAS_CHECK(algorithm.alignment_bytes != 0 && algorithm.shape == shape);
    for (uint64_t address :
         {product.a.address, product.b.address, product.c.address, product.d.address}) {
      TFRT_BLAS_CHECK(address % algorithm.alignment_bytes == 0);
    }
    TFRT_BLAS_CHECK(workspace_bytes >= algorithm.workspace_bytes && AddressOf(workspace) % 16 == 0);
    std::vector<tfrtDoubleRange> ranges = product.Ranges();
    if (algorithm.workspace_bytes != 0) {
      ranges.push_back({AddressOf(workspace), algorithm.workspace_bytes, kWrites});
    }
    return Enqueue(stream, "cublasLtMatmul", std::move(ranges), [product] { Run(product); });
  });
}

}  // extern "C"
}  // namespace tfrt::gpu::cublaslt
