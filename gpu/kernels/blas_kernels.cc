// Kernels of linear algebra: tfrt_gpu.blas.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "blas_values.h"
#include "cuda_value.h"
#include "gpu/device_code/device_code.h"
#include "gpu/device_code/launch.h"
#include "gpu/libraries/blas/gemm.h"
#include "gpu/libraries/blas/handles.h"
#include "gpu/libraries/library_call.h"
#include "gpu/runtime/launch.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/runtime/module.h"
#include "gpu/runtime/stream.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using cublas::cudaDataType;

// Returns the address of a buffer's bytes for the library; null if there are none.
void* AddressOf(const GpuBuffer::Use& use) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(use->address));
}

// Memory that a call of the library uses beside its buffers.
struct CallMemory {
  size_t workspace_bytes = 0;
  const Memory* other = nullptr;
};

// Calls the library with a leased handle of the stream: `call(table, handle)` enqueues there, and
// returns the library's status. The texts `op` and `function` live as long as the program.
template <typename F>
StatusOr<Chain> CallBlas(std::string_view op, std::string_view function,
                         const BlasHandleValue& value, Stream& stream,
                         std::span<const GpuBuffer::Use* const> uses, CallMemory memory,
                         const ExecutionContext& exec_ctx, F&& call) {
  Context& context = stream.context();
  if (&context != value.context.get()) {
    return InvalidArgumentError("handle and stream are of different contexts");
  }
  TFRT_ASSIGN_OR_RETURN(const cublas::Library* library, blas::BlasLibrary());
  const cublas::Table& table = library->table();
  // Before the stream's call: making a handle may wait for the device.
  TFRT_ASSIGN_OR_RETURN(blas::Handles::Lease lease, context.Part<blas::Handles>().Take());
  LaunchScope scope(op, exec_ctx.location());
  RCReference<Memory> workspace;
  if (memory.workspace_bytes != 0) {
    TFRT_ASSIGN_OR_RETURN(workspace, context.Allocate(stream, memory.workspace_bytes));
  }
  std::array<const Memory*, 5> memories;
  size_t num_memories = 0;
  for (const GpuBuffer::Use* use : uses) {
    if (!use->is_empty()) memories[num_memories++] = (*use)->memory;
  }
  if (memory.other) memories[num_memories++] = memory.other;
  if (workspace) memories[num_memories++] = workspace.get();
  TFRT_RETURN_IF_ERROR(
      CallLibrary(stream, function, std::span(memories.data(), num_memories), [&]() -> Status {
        TFRT_RETURN_IF_ERROR(cublas::StatusOf(
            table.cublasSetStream_v2(lease.get(), stream.handle()), "cublasSetStream_v2"));
        // After the stream: setting that gives the handle the library's own workspace again.
        if (workspace) {
          TFRT_RETURN_IF_ERROR(cublas::StatusOf(
              table.cublasSetWorkspace_v2(lease.get(),
                                          reinterpret_cast<void*>(workspace->address()),
                                          workspace->size_bytes()),
              "cublasSetWorkspace_v2"));
        }
        return cublas::StatusOf(call(table, lease.get()), function);
      }).status());
  return Chain();
}

// --- handles and vectors ---

StatusOr<BlasHandleValue> Create(const RCReference<Context>& context) {
  TFRT_RETURN_IF_ERROR(blas::BlasLibrary().status());
  // The first handle is made here, where programs expect the errors of that.
  TFRT_RETURN_IF_ERROR(context->Part<blas::Handles>().Take().status());
  return BlasHandleValue{context};
}

StatusOr<cudaDataType> DataType(int32_t value) {
  return CudaValue<cudaDataType>(GpuEnum::kBlasDataType, value);
}

// The places of a vector's elements, as one column of a matrix or as one row.
MatrixExtent ExtentOf(int32_t n, int32_t increment) {
  return {.rows = 1,
          .cols = increment == 0 ? 1 : n,
          .ld = std::max<int64_t>(1, std::abs(int64_t{increment}))};
}

StatusOr<Chain> Axpy(const BlasHandleValue& handle, const RCReference<Stream>& stream, int32_t n,
                     AsyncValue* alpha, const GpuBuffer& x, int32_t incx, const GpuBuffer& y,
                     int32_t incy, Argument<Chain>, Attribute<int32_t> execution_type,
                     Attribute<int32_t> alpha_type, Attribute<int32_t> x_type,
                     Attribute<int32_t> y_type, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(cudaDataType execution, DataType(*execution_type));
  TFRT_ASSIGN_OR_RETURN(cudaDataType of_alpha, DataType(*alpha_type));
  TFRT_ASSIGN_OR_RETURN(cudaDataType of_x, DataType(*x_type));
  TFRT_ASSIGN_OR_RETURN(cudaDataType of_y, DataType(*y_type));
  TFRT_ASSIGN_OR_RETURN(BlasScalar by, ReadBlasScalar(alpha, ScalarTypeOf(of_alpha),
                                                      /*accepts_complex=*/false, of_alpha));
  GpuBuffer::Use use_x(x), use_y(y);
  TFRT_RETURN_IF_ERROR(CheckExtent("x", use_x, of_x, ExtentOf(n, incx)));
  TFRT_RETURN_IF_ERROR(CheckExtent("y", use_y, of_y, ExtentOf(n, incy)));
  const GpuBuffer::Use* uses[] = {&use_x, &use_y};
  return CallBlas("tfrt_gpu.blas.axpy", "cublasAxpyEx", handle, *stream, uses, {}, exec_ctx,
                  [&](const cublas::Table& table, cublas::cublasHandle_t leased) {
                    return table.cublasAxpyEx(leased, n, by.data(), of_alpha, AddressOf(use_x),
                                              of_x, incx, AddressOf(use_y), of_y, incy, execution);
                  });
}

StatusOr<Chain> Scal(const BlasHandleValue& handle, const RCReference<Stream>& stream, int32_t n,
                     AsyncValue* alpha, const GpuBuffer& x, int32_t incx, Argument<Chain>,
                     Attribute<int32_t> execution_type, Attribute<int32_t> alpha_type,
                     Attribute<int32_t> x_type, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(cudaDataType execution, DataType(*execution_type));
  TFRT_ASSIGN_OR_RETURN(cudaDataType of_alpha, DataType(*alpha_type));
  TFRT_ASSIGN_OR_RETURN(cudaDataType of_x, DataType(*x_type));
  TFRT_ASSIGN_OR_RETURN(BlasScalar by, ReadBlasScalar(alpha, ScalarTypeOf(of_alpha),
                                                      /*accepts_complex=*/false, of_alpha));
  GpuBuffer::Use use_x(x);
  TFRT_RETURN_IF_ERROR(CheckExtent("x", use_x, of_x, ExtentOf(n, incx)));
  const GpuBuffer::Use* uses[] = {&use_x};
  return CallBlas("tfrt_gpu.blas.scal", "cublasScalEx", handle, *stream, uses, {}, exec_ctx,
                  [&](const cublas::Table& table, cublas::cublasHandle_t leased) {
                    return table.cublasScalEx(leased, n, by.data(), of_alpha, AddressOf(use_x),
                                              of_x, incx, execution);
                  });
}

// --- products ---

BlasAlgorithmValue GemmAlgorithm(Attribute<int32_t> algo) { return {*algo}; }

// The attributes of a product, decoded.
struct GemmTypes {
  cublas::cublasOperation_t transa, transb;
  cudaDataType a, b, c;
  cublas::cublasComputeType_t compute;
  cublas::cublasGemmAlgo_t algo;
  BlasScalar alpha, beta;
};

StatusOr<GemmTypes> ReadGemmTypes(int32_t compute_type, int32_t transa, int32_t transb,
                                  int32_t a_type, int32_t b_type, int32_t c_type,
                                  const BlasAlgorithmValue& algorithm, AsyncValue* alpha,
                                  AsyncValue* beta) {
  GemmTypes types;
  TFRT_ASSIGN_OR_RETURN(types.compute, CudaValue<cublas::cublasComputeType_t>(
                                           GpuEnum::kBlasComputeType, compute_type));
  TFRT_ASSIGN_OR_RETURN(types.transa,
                        CudaValue<cublas::cublasOperation_t>(GpuEnum::kBlasOperation, transa));
  TFRT_ASSIGN_OR_RETURN(types.transb,
                        CudaValue<cublas::cublasOperation_t>(GpuEnum::kBlasOperation, transb));
  TFRT_ASSIGN_OR_RETURN(types.a, DataType(a_type));
  TFRT_ASSIGN_OR_RETURN(types.b, DataType(b_type));
  TFRT_ASSIGN_OR_RETURN(types.c, DataType(c_type));
  TFRT_ASSIGN_OR_RETURN(
      types.algo, CudaValue<cublas::cublasGemmAlgo_t>(GpuEnum::kBlasGemmAlgo, algorithm.value));
  const DType expected = ScalarOf(GpuEnum::kBlasComputeType, compute_type);
  const cudaDataType scale = blas::ScaleTypeOf(types.compute, types.c);
  TFRT_ASSIGN_OR_RETURN(types.alpha,
                        ReadBlasScalar(alpha, expected, /*accepts_complex=*/true, scale));
  TFRT_ASSIGN_OR_RETURN(types.beta,
                        ReadBlasScalar(beta, expected, /*accepts_complex=*/true, scale));
  return types;
}

// One operand of a product.
struct GemmMatrix {
  GpuBuffer::Use use;
  int32_t ld;
  int64_t stride = 0;
};

Status CheckGemm(const GemmTypes& types, int32_t m, int32_t n, int32_t k, int32_t batch_count,
                 const GemmMatrix& a, const GemmMatrix& b, const GemmMatrix& c) {
  const bool is_a_plain = types.transa == cublas::CUBLAS_OP_N;
  const bool is_b_plain = types.transb == cublas::CUBLAS_OP_N;
  TFRT_RETURN_IF_ERROR(CheckExtent(
      "A", a.use, types.a,
      {is_a_plain ? m : k, is_a_plain ? k : m, a.ld, n > 0 ? batch_count : 0, a.stride}));
  TFRT_RETURN_IF_ERROR(CheckExtent(
      "B", b.use, types.b,
      {is_b_plain ? k : n, is_b_plain ? n : k, b.ld, m > 0 ? batch_count : 0, b.stride}));
  return CheckExtent("C", c.use, types.c, {m, n, c.ld, batch_count, c.stride});
}

StatusOr<Chain> Gemm(const BlasHandleValue& handle, const RCReference<Stream>& stream, int32_t m,
                     int32_t n, int32_t k, AsyncValue* alpha, const GpuBuffer& a, int32_t lda,
                     const GpuBuffer& b, int32_t ldb, AsyncValue* beta, const GpuBuffer& c,
                     int32_t ldc, const BlasAlgorithmValue& algorithm, Argument<Chain>,
                     Attribute<int32_t> compute_type, Attribute<int32_t> transa,
                     Attribute<int32_t> transb, Attribute<int32_t> a_type,
                     Attribute<int32_t> b_type, Attribute<int32_t> c_type,
                     const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(GemmTypes types, ReadGemmTypes(*compute_type, *transa, *transb, *a_type,
                                                       *b_type, *c_type, algorithm, alpha, beta));
  const GemmMatrix of_a{GpuBuffer::Use(a), lda}, of_b{GpuBuffer::Use(b), ldb};
  const GemmMatrix of_c{GpuBuffer::Use(c), ldc};
  TFRT_RETURN_IF_ERROR(CheckGemm(types, m, n, k, /*batch_count=*/1, of_a, of_b, of_c));
  const GpuBuffer::Use* uses[] = {&of_a.use, &of_b.use, &of_c.use};
  return CallBlas("tfrt_gpu.blas.gemm", "cublasGemmEx", handle, *stream, uses,
                  {.workspace_bytes = blas::WorkspaceBytes(stream->context())}, exec_ctx,
                  [&](const cublas::Table& table, cublas::cublasHandle_t leased) {
                    return table.cublasGemmEx(leased, types.transa, types.transb, m, n, k,
                                              types.alpha.data(), AddressOf(of_a.use), types.a, lda,
                                              AddressOf(of_b.use), types.b, ldb, types.beta.data(),
                                              AddressOf(of_c.use), types.c, ldc, types.compute,
                                              types.algo);
                  });
}

StatusOr<Chain> GemmBatch(const BlasHandleValue& handle, const RCReference<Stream>& stream,
                          int32_t m, int32_t n, int32_t k, AsyncValue* alpha, const GpuBuffer& a,
                          int32_t lda, int64_t stride_a, const GpuBuffer& b, int32_t ldb,
                          int64_t stride_b, AsyncValue* beta, const GpuBuffer& c, int32_t ldc,
                          int64_t stride_c, int32_t batch_count,
                          const BlasAlgorithmValue& algorithm, Argument<Chain>,
                          Attribute<int32_t> compute_type, Attribute<int32_t> transa,
                          Attribute<int32_t> transb, Attribute<int32_t> a_type,
                          Attribute<int32_t> b_type, Attribute<int32_t> c_type,
                          const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(GemmTypes types, ReadGemmTypes(*compute_type, *transa, *transb, *a_type,
                                                       *b_type, *c_type, algorithm, alpha, beta));
  const GemmMatrix of_a{GpuBuffer::Use(a), lda, stride_a};
  const GemmMatrix of_b{GpuBuffer::Use(b), ldb, stride_b};
  const GemmMatrix of_c{GpuBuffer::Use(c), ldc, stride_c};
  TFRT_RETURN_IF_ERROR(CheckGemm(types, m, n, k, batch_count, of_a, of_b, of_c));
  const GpuBuffer::Use* uses[] = {&of_a.use, &of_b.use, &of_c.use};
  return CallBlas("tfrt_gpu.blas.gemm.batch", "cublasGemmStridedBatchedEx", handle, *stream, uses,
                  {.workspace_bytes = blas::WorkspaceBytes(stream->context())}, exec_ctx,
                  [&](const cublas::Table& table, cublas::cublasHandle_t leased) {
                    return table.cublasGemmStridedBatchedEx(
                        leased, types.transa, types.transb, m, n, k, types.alpha.data(),
                        AddressOf(of_a.use), types.a, lda, stride_a, AddressOf(of_b.use), types.b,
                        ldb, stride_b, types.beta.data(), AddressOf(of_c.use), types.c, ldc,
                        stride_c, batch_count, types.compute, types.algo);
                  });
}

// --- products with an epilogue ---

// An epilogue by name: the part that the library does, and perhaps a kernel of ours after it.
struct LtEpilogue {
  std::string_view name;
  blas::GemmEpilogue epilogue;
  bool is_exact_gelu = false;
};
constexpr LtEpilogue kLtEpilogues[] = {
    {"none", blas::GemmEpilogue::kNone},
    {"bias", blas::GemmEpilogue::kBias},
    {"relu", blas::GemmEpilogue::kRelu},
    {"relu_bias", blas::GemmEpilogue::kReluBias},
    {"gelu", blas::GemmEpilogue::kNone, /*is_exact_gelu=*/true},
    {"gelu_bias", blas::GemmEpilogue::kBias, /*is_exact_gelu=*/true},
    {"gelu_tanh", blas::GemmEpilogue::kGeluTanh},
    {"gelu_tanh_bias", blas::GemmEpilogue::kGeluTanhBias},
};

// The kernel of the exact gelu, and the module that it is of.
struct GeluKernel {
  RCReference<Module> module;
  const Function* function = nullptr;

  // Enqueues it on the columns of C, in place.
  Status Launch(Stream& stream, const GemmMatrix& c, cudaDataType type, int32_t m, int32_t n) const;
};

StatusOr<GeluKernel> LoadGelu(Context& context, cudaDataType type) {
  const char* suffix = type == cublas::CUDA_R_32F    ? "f32"
                       : type == cublas::CUDA_R_16F  ? "f16"
                       : type == cublas::CUDA_R_16BF ? "bf16"
                       : type == cublas::CUDA_R_64F  ? "f64"
                                                     : nullptr;
  if (!suffix) return UnimplementedError("there is no gelu of this type");
  const std::string name = StrCat("gelu_", suffix);
  TFRT_ASSIGN_OR_RETURN(DeviceKernel kernel, FindDeviceKernel(name));
  GeluKernel gelu;
  TFRT_ASSIGN_OR_RETURN(gelu.module, context.LoadModule(kernel.module->ptx));
  TFRT_ASSIGN_OR_RETURN(gelu.function, gelu.module->GetFunction(name));
  return gelu;
}

Status GeluKernel::Launch(Stream& stream, const GemmMatrix& c, cudaDataType type, int32_t m,
                          int32_t n) const {
  if (m <= 0 || n <= 0) return OkStatus();
  const bool is_dense = c.ld == m;
  const int64_t size = is_dense ? int64_t{m} * n : m;
  const DeviceLaunch launch = ElementwiseLaunch(size);
  const LaunchShape shape = {.grid = {launch.blocks, 1, 1}, .block = {launch.threads, 1, 1}};
  const auto count = static_cast<uint64_t>(size);
  for (int32_t column = 0; column < (is_dense ? 1 : n); ++column) {
    MemoryRange bytes = *c.use;
    bytes.address +=
        static_cast<uint64_t>(column) * static_cast<uint64_t>(c.ld) * ElementBytes(type);
    bytes.size_bytes = count * ElementBytes(type);
    const LaunchArgument arguments[] = {LaunchArgument::OfAddress(bytes),
                                        LaunchArgument::OfAddress(bytes),
                                        LaunchArgument::Of(count)};
    TFRT_RETURN_IF_ERROR(stream.Launch(*function, shape, arguments).status());
  }
  return OkStatus();
}

StatusOr<Chain> LtMatmul(const BlasHandleValue& handle, const RCReference<Stream>& stream,
                         int32_t m, int32_t n, int32_t k, AsyncValue* alpha, const GpuBuffer& a,
                         int32_t lda, const GpuBuffer& b, int32_t ldb, AsyncValue* beta,
                         const GpuBuffer& c, int32_t ldc, Argument<Chain>, RemainingArguments rest,
                         Attribute<int32_t> compute_type, StringAttribute epilogue_name,
                         Attribute<int32_t> transa, Attribute<int32_t> transb,
                         Attribute<int32_t> a_type, Attribute<int32_t> b_type,
                         Attribute<int32_t> c_type, const ExecutionContext& exec_ctx) {
  if (&stream->context() != handle.context.get()) {
    return InvalidArgumentError("handle and stream are of different contexts");
  }
  const auto* epilogue =
      std::find_if(std::begin(kLtEpilogues), std::end(kLtEpilogues),
                   [&](const LtEpilogue& known) { return known.name == epilogue_name.get(); });
  if (epilogue == std::end(kLtEpilogues)) {
    return InvalidArgumentError(StrCat("unknown epilogue '", epilogue_name.get(), "'"));
  }
  const bool has_bias = blas::HasBias(epilogue->epilogue);
  if (rest.size() != (has_bias ? 1 : 0) ||
      (has_bias && rest[0]->type_id() != GetTypeId<GpuBuffer>())) {
    return InvalidArgumentError(
        StrCat("epilogue '", epilogue->name, has_bias ? "' needs a bias" : "' has no bias"));
  }
  const BlasAlgorithmValue default_algorithm = {static_cast<int32_t>(
      EncodeGpuEnum(GpuEnum::kBlasGemmAlgo, GpuPlatform::kCuda, cublas::CUBLAS_GEMM_DEFAULT))};
  TFRT_ASSIGN_OR_RETURN(GemmTypes types,
                        ReadGemmTypes(*compute_type, *transa, *transb, *a_type, *b_type, *c_type,
                                      default_algorithm, alpha, beta));
  const GemmMatrix of_a{GpuBuffer::Use(a), lda}, of_b{GpuBuffer::Use(b), ldb};
  const GemmMatrix of_c{GpuBuffer::Use(c), ldc};
  TFRT_RETURN_IF_ERROR(CheckGemm(types, m, n, k, /*batch_count=*/1, of_a, of_b, of_c));
  GpuBuffer::Use bias;
  if (has_bias) {
    bias = GpuBuffer::Use(rest[0]->get<GpuBuffer>());
    TFRT_RETURN_IF_ERROR(CheckExtent("bias", bias, types.c, {m, 1, m}));
  }
  LaunchScope scope("tfrt_gpu.blas.lt_matmul", exec_ctx.location());
  // Before the product: loading code may wait for the device.
  std::optional<GeluKernel> gelu;
  if (epilogue->is_exact_gelu) {
    TFRT_ASSIGN_OR_RETURN(gelu, LoadGelu(stream->context(), types.c));
  }
  const blas::Gemm gemm = {.transa = types.transa,
                           .transb = types.transb,
                           .m = m,
                           .n = n,
                           .k = k,
                           .a_type = types.a,
                           .b_type = types.b,
                           .c_type = types.c,
                           .lda = lda,
                           .ldb = ldb,
                           .ldc = ldc,
                           .compute = types.compute,
                           .epilogue = epilogue->epilogue};
  TFRT_RETURN_IF_ERROR(blas::EnqueueGemm(*stream, gemm,
                                         {.a = *of_a.use,
                                          .b = *of_b.use,
                                          .c = *of_c.use,
                                          .bias = *bias,
                                          .alpha = types.alpha.data(),
                                          .beta = types.beta.data()})
                           .status());
  if (gelu) TFRT_RETURN_IF_ERROR(gelu->Launch(*stream, of_c, types.c, m, n));
  return Chain();
}

// --- triangular systems ---

// Writes the addresses of matrices that lie one after the other.
void WriteAddresses(uint64_t first, uint64_t stride_bytes, int32_t count, uint64_t* addresses) {
  for (int32_t i = 0; i < count; ++i) {
    addresses[i] = first + static_cast<uint64_t>(i) * stride_bytes;
  }
}

template <typename T>
using TrsmFunction = cublas::cublasStatus_t (*)(cublas::cublasHandle_t, cublas::cublasSideMode_t,
                                                cublas::cublasFillMode_t, cublas::cublasOperation_t,
                                                cublas::cublasDiagType_t, int, int, const T*,
                                                const T* const*, int, T* const*, int, int);

// Such a function of the library's table.
template <typename T>
using TrsmMember = TrsmFunction<T> cublas::Table::*;

StatusOr<Chain> TrsmBatch(const BlasHandleValue& handle, const RCReference<Stream>& stream,
                          int32_t m, int32_t n, AsyncValue* alpha, const GpuBuffer& a, int32_t lda,
                          const GpuBuffer& b, int32_t ldb, int32_t batch_count, Argument<Chain>,
                          Attribute<int32_t> data_type, Attribute<int32_t> diag_type,
                          Attribute<int32_t> fill_mode, Attribute<int32_t> side_mode,
                          Attribute<int32_t> trans, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(cudaDataType type, DataType(*data_type));
  TFRT_ASSIGN_OR_RETURN(auto diag,
                        CudaValue<cublas::cublasDiagType_t>(GpuEnum::kBlasDiagType, *diag_type));
  TFRT_ASSIGN_OR_RETURN(auto fill,
                        CudaValue<cublas::cublasFillMode_t>(GpuEnum::kBlasFillMode, *fill_mode));
  TFRT_ASSIGN_OR_RETURN(auto side,
                        CudaValue<cublas::cublasSideMode_t>(GpuEnum::kBlasSideMode, *side_mode));
  TFRT_ASSIGN_OR_RETURN(auto operation,
                        CudaValue<cublas::cublasOperation_t>(GpuEnum::kBlasOperation, *trans));
  if (type != cublas::CUDA_R_32F && type != cublas::CUDA_R_64F && type != cublas::CUDA_C_32F &&
      type != cublas::CUDA_C_64F) {
    return InvalidArgumentError(
        StrCat("Unsupported data type: ", PrintGpuEnum(GpuEnum::kBlasDataType, *data_type)));
  }
  TFRT_ASSIGN_OR_RETURN(BlasScalar by, ReadBlasScalar(alpha, ScalarTypeOf(type),
                                                      /*accepts_complex=*/false, type));
  const int64_t order = side == cublas::CUBLAS_SIDE_LEFT ? m : n;
  const int64_t a_elements = order * order, b_elements = int64_t{m} * n;
  GpuBuffer::Use use_a(a), use_b(b);
  TFRT_RETURN_IF_ERROR(CheckExtent("A", use_a, type, {order, order, lda, batch_count, a_elements}));
  TFRT_RETURN_IF_ERROR(CheckExtent("B", use_b, type, {m, n, ldb, batch_count, b_elements}));

  // The library reads the addresses when its command runs. The command is noted as a use of their
  // memory, which therefore comes back no earlier.
  const auto count = static_cast<size_t>(std::max(batch_count, 0));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> addresses,
                        stream->context().AllocatePinned(2 * count * sizeof(uint64_t)));
  auto* as = static_cast<uint64_t*>(addresses->host_address());
  const auto element_bytes = static_cast<int64_t>(ElementBytes(type));
  if (count != 0) {
    WriteAddresses(use_a->address, static_cast<uint64_t>(a_elements * element_bytes), batch_count,
                   as);
    WriteAddresses(use_b->address, static_cast<uint64_t>(b_elements * element_bytes), batch_count,
                   as + count);
  }
  const GpuBuffer::Use* uses[] = {&use_a, &use_b};
  auto solve = [&]<typename T>(std::string_view name, TrsmMember<T> function) {
    return CallBlas(
        "tfrt_gpu.blas.trsm.batch", name, handle, *stream, uses,
        {.workspace_bytes = blas::WorkspaceBytes(stream->context()), .other = addresses.get()},
        exec_ctx, [&](const cublas::Table& table, cublas::cublasHandle_t leased) {
          return (table.*function)(leased, side, fill, operation, diag, m, n,
                                   static_cast<const T*>(by.data()),
                                   reinterpret_cast<const T* const*>(as), lda,
                                   reinterpret_cast<T* const*>(as + count), ldb, batch_count);
        });
  };
  switch (type) {
    case cublas::CUDA_R_64F:
      return solve("cublasDtrsmBatched", &cublas::Table::cublasDtrsmBatched);
    case cublas::CUDA_C_32F:
      return solve("cublasCtrsmBatched", &cublas::Table::cublasCtrsmBatched);
    case cublas::CUDA_C_64F:
      return solve("cublasZtrsmBatched", &cublas::Table::cublasZtrsmBatched);
    default:
      return solve("cublasStrsmBatched", &cublas::Table::cublasStrsmBatched);
  }
}

}  // namespace

void RegisterBlasKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.blas.create", TFRT_KERNEL(Create));
  registry->AddKernel("tfrt_gpu.blas.axpy", TFRT_KERNEL(Axpy));
  registry->AddKernel("tfrt_gpu.blas.scal", TFRT_KERNEL(Scal));
  registry->AddKernel("tfrt_gpu.blas.gemm.algo", TFRT_KERNEL(GemmAlgorithm));
  registry->AddKernel("tfrt_gpu.blas.gemm", TFRT_KERNEL(Gemm));
  registry->AddKernel("tfrt_gpu.blas.gemm.batch", TFRT_KERNEL(GemmBatch));
  registry->AddKernel("tfrt_gpu.blas.lt_matmul", TFRT_KERNEL(LtMatmul));
  registry->AddKernel("tfrt_gpu.blas.trsm.batch", TFRT_KERNEL(TrsmBatch));
}

}  // namespace tfrt::gpu
