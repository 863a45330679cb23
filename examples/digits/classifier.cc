#include "classifier.h"

#include <cstdio>
#include <fstream>
#include <string_view>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace digits {
namespace {

using tfrt::StatusOr;
using tfrt::StrCat;

constexpr float kMaxGrey = 16;

// Reads `count` little-endian values; the file must hold exactly those.
template <typename T>
StatusOr<std::vector<T>> ReadValues(const std::string& path, size_t count) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return tfrt::NotFoundError(StrCat("cannot open ", path));
  size_t size = static_cast<size_t>(file.tellg());
  if (size != count * sizeof(T)) {
    return tfrt::DataLossError(StrCat(path, " has ", size, " bytes, expected ", count * sizeof(T)));
  }
  std::vector<T> values(count);
  file.seekg(0);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(size));
  if (!file) return tfrt::DataLossError(StrCat("cannot read ", path));
  return values;
}

// f32 [450,64], 0 to 1.
StatusOr<tfrt::DenseHostTensor> MakeImageTensor(const std::vector<uint8_t>& images,
                                                tfrt::HostContext& host) {
  TFRT_ASSIGN_OR_RETURN(auto tensor,
                        tfrt::DenseHostTensor::CreateUninitialized(
                            {tfrt::DType::kF32, {kNumImages, kPixels}}, host.allocator()));
  TFRT_ASSIGN_OR_RETURN(auto view, tfrt::MutableDenseView<float>::Create(tensor, "the images"));
  for (size_t i = 0; i < view.size(); ++i) view[i] = images[i] / kMaxGrey;
  return tensor;
}

// The elements of a result that must be a dense tensor of T with `count` elements.
template <typename T>
StatusOr<std::vector<T>> TakeResult(const tfrt::AsyncValue& result, std::string_view name,
                                    size_t count) {
  if (const tfrt::Status* error = result.GetErrorIfPresent()) return *error;
  if (!result.IsType<tfrt::DenseHostTensor>()) {
    return tfrt::InternalError(StrCat(name, " are not a dense tensor"));
  }
  const auto& tensor = result.get<tfrt::DenseHostTensor>();
  TFRT_ASSIGN_OR_RETURN(auto view, tfrt::DenseView<T>::Create(tensor, name));
  if (view.size() != count) {
    return tfrt::InternalError(StrCat(name, " have ", view.size(), " elements, expected ", count));
  }
  return std::vector<T>(view.elements().begin(), view.elements().end());
}

}  // namespace

StatusOr<HeldOut> ReadHeldOut(const std::string& folder) {
  HeldOut data;
  TFRT_ASSIGN_OR_RETURN(data.images,
                        ReadValues<uint8_t>(folder + "/images.u8", kNumImages * kPixels));
  TFRT_ASSIGN_OR_RETURN(data.labels, ReadValues<int32_t>(folder + "/labels.i32", kNumImages));
  TFRT_ASSIGN_OR_RETURN(data.classes, ReadValues<int32_t>(folder + "/classes.i32", kNumImages));
  TFRT_ASSIGN_OR_RETURN(data.logits,
                        ReadValues<float>(folder + "/logits.f32", kNumImages * kNumClasses));
  return data;
}

StatusOr<Answers> Classify(tfrt::BefImage program, const std::vector<uint8_t>& images,
                           const std::string& work_queue_type, PrepareHost prepare_host) {
  // 1. A host: memory, threads, and the kernels that programs may use.
  TFRT_ASSIGN_OR_RETURN(auto queue, tfrt::CreateWorkQueue(work_queue_type));
  tfrt::HostContext host(
      [](const tfrt::DecodedDiagnostic& diagnostic) {
        std::fprintf(stderr, "%s: %s\n", diagnostic.location.ToString().c_str(),
                     diagnostic.status.ToString().c_str());
      },
      tfrt::CreateMallocAllocator(), std::move(queue));
  tfrt::RegisterBasicKernels(&host.kernel_registry());
  tfrt::RegisterControlFlowKernels(&host.kernel_registry());
  tfrt::RegisterTensorKernels(&host.kernel_registry());
  tfrt::RegisterContractionKernels(&host.kernel_registry());
  if (prepare_host) TFRT_RETURN_IF_ERROR(prepare_host(host));

  // 2. The program. Its constants are read where they lie in `program`, so `file` must outlive the
  // results below.
  TFRT_ASSIGN_OR_RETURN(auto file, tfrt::BefFile::Open(std::move(program), &host));
  TFRT_ASSIGN_OR_RETURN(const tfrt::Function* classify, file->FindFunction("classify"));

  // 3. One request: arguments in, results out, possibly later and on another thread.
  TFRT_ASSIGN_OR_RETURN(auto tensor, MakeImageTensor(images, host));
  auto argument = tfrt::MakeAvailableAsyncValueRef<tfrt::DenseHostTensor>(std::move(tensor));
  tfrt::ExecutionContext exec_ctx(
      tfrt::RequestContextBuilder(&host, /*resource_context=*/nullptr).Build());
  tfrt::AsyncValue* arguments[] = {argument.GetAsyncValue()};
  tfrt::RCReference<tfrt::AsyncValue> results[2];
  classify->Execute(exec_ctx, arguments, results);
  tfrt::AsyncValue* pending[] = {results[0].get(), results[1].get()};
  host.Await(pending);

  Answers answers;
  TFRT_ASSIGN_OR_RETURN(answers.logits,
                        TakeResult<float>(*results[0], "the logits", kNumImages * kNumClasses));
  TFRT_ASSIGN_OR_RETURN(answers.classes,
                        TakeResult<int32_t>(*results[1], "the classes", kNumImages));
  return answers;
}

}  // namespace digits
