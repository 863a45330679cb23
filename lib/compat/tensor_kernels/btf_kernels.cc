// btf.*: kernels that read tensors from files. Each call opens the file anew and gets a private
// mapping of it, so that its tensor can be written as if it had been read into memory.

#include <string>

#include "lib/runtime/tensor/btf.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Describes the differences between the layouts.
struct Dense {
  using Tensor = DenseHostTensor;
  static constexpr BtfLayout kLayout = BtfLayout::kDense;
  static StatusOr<Tensor> Read(const BtfFile& file, const BtfHeader& header) {
    return file.ReadDense(header);
  }
};
struct Coo {
  using Tensor = CooHostTensor;
  static constexpr BtfLayout kLayout = BtfLayout::kCoo;
  static StatusOr<Tensor> Read(const BtfFile& file, const BtfHeader& header) {
    return file.ReadCoo(header);
  }
};

template <typename Layout, typename T, size_t R>
StatusOr<typename Layout::Tensor> ReadFromFile(const std::string& path, int32_t index) {
  TFRT_ASSIGN_OR_RETURN(BtfFile file, BtfFile::Open(path, FileBytes::Access::kCopyOnWrite));
  TFRT_ASSIGN_OR_RETURN(BtfHeader header, file.ReadHeader(index));
  TFRT_RETURN_IF_ERROR(header.Expect(DTypeOf<T>(), R, Layout::kLayout));
  return Layout::Read(file, header);
}

template <typename Layout, typename T, size_t R>
AsyncValueRef<typename Layout::Tensor> ReadTensor(const std::string& path, int32_t index,
                                                  const ExecutionContext& exec_ctx) {
  auto result = MakeUnconstructedAsyncValueRef<typename Layout::Tensor>();
  bool enqueued = EnqueueBlockingWork(exec_ctx, [path, index, exec_ctx, result = result.CopyRef()] {
    auto tensor = ReadFromFile<Layout, T, R>(path, index);
    if (tensor.ok()) {
      result.emplace(*std::move(tensor));
    } else {
      result.SetError(EmitError(exec_ctx, tensor.status()));
    }
  });
  if (enqueued) return result;
  return EmitError(exec_ctx, ResourceExhaustedError(
                                 StrCat("the work queue takes no blocking work to read ", path)));
}

template <typename Layout, typename T>
void RegisterRanks(KernelRegistry* registry, const std::string& prefix) {
  registry->AddKernel(prefix + ".0", TFRT_KERNEL(ReadTensor<Layout, T, 0>));
  registry->AddKernel(prefix + ".1", TFRT_KERNEL(ReadTensor<Layout, T, 1>));
  registry->AddKernel(prefix + ".2", TFRT_KERNEL(ReadTensor<Layout, T, 2>));
  registry->AddKernel(prefix + ".3", TFRT_KERNEL(ReadTensor<Layout, T, 3>));
  registry->AddKernel(prefix + ".4", TFRT_KERNEL(ReadTensor<Layout, T, 4>));
}

}  // namespace

void RegisterBtfKernels(KernelRegistry* registry) {
  RegisterRanks<Dense, float>(registry, "btf.read_dense_tensor.f32");
  RegisterRanks<Dense, int32_t>(registry, "btf.read_dense_tensor.i32");
  RegisterRanks<Dense, int64_t>(registry, "btf.read_dense_tensor.i64");
  RegisterRanks<Dense, int8_t>(registry, "btf.read_dense_tensor.i8");
  RegisterRanks<Dense, uint8_t>(registry, "btf.read_dense_tensor.ui8");
  RegisterRanks<Coo, float>(registry, "btf.read_coo_tensor.f32");
  RegisterRanks<Coo, int32_t>(registry, "btf.read_coo_tensor.i32");
  RegisterRanks<Coo, int8_t>(registry, "btf.read_coo_tensor.i8");
}

}  // namespace tfrt
