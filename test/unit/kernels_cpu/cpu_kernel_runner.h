// Runs single kernels on tensors by name, with any number of threads.
#ifndef TFRT_TEST_UNIT_KERNELS_CPU_CPU_KERNEL_RUNNER_H_
#define TFRT_TEST_UNIT_KERNELS_CPU_CPU_KERNEL_RUNNER_H_

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/kernels/cpu_kernels.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/tensor/dense_view.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

using Values = std::vector<RCReference<AsyncValue>>;

// An attribute as in a BEF file: what follows the count of an array is aligned.
class AttributeBytes {
 public:
  AttributeBytes(std::string_view bytes, size_t prefix)
      : words_(bytes.size() / 8 + 2), begin_((8 - prefix) % 8) {
    bytes.copy(data(), bytes.size());
  }
  template <typename T>
  static AttributeBytes Scalar(T value) {
    return {{reinterpret_cast<const char*>(&value), sizeof(T)}, 0};
  }
  template <typename T>
  static AttributeBytes Array(const std::vector<T>& elements) {
    auto count = static_cast<uint32_t>(elements.size());
    std::string bytes(reinterpret_cast<const char*>(&count), 4);
    if (count) bytes.append(reinterpret_cast<const char*>(elements.data()), count * sizeof(T));
    return {bytes, 4};
  }
  static AttributeBytes String(std::string_view text) {
    return Array(std::vector<char>(text.begin(), text.end()));
  }
  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(words_.data()) + begin_; }

 private:
  char* data() { return reinterpret_cast<char*>(words_.data()) + begin_; }
  std::vector<uint64_t> words_;
  size_t begin_;
};
using Attributes = std::vector<AttributeBytes>;
inline AttributeBytes I64(int64_t value) { return AttributeBytes::Scalar(value); }
inline AttributeBytes F32(float value) { return AttributeBytes::Scalar(value); }
inline AttributeBytes Bool(bool value) { return AttributeBytes::Scalar<uint8_t>(value); }
inline AttributeBytes I64s(std::vector<int64_t> v) { return AttributeBytes::Array(v); }
inline AttributeBytes Text(std::string_view text) { return AttributeBytes::String(text); }

class CpuKernelRunner {
 public:
  // `queue` as for CreateWorkQueue: "s", "mstd:4", ...
  explicit CpuKernelRunner(std::string_view queue = "s",
                           std::unique_ptr<HostAllocator> allocator = CreateMallocAllocator())
      : host_([](const DecodedDiagnostic&) {}, std::move(allocator), *CreateWorkQueue(queue)),
        exec_ctx_(RequestContextBuilder(&host_, nullptr).Build()) {
    RegisterTensorKernels(&host_.kernel_registry());
    RegisterEigenKernels(&host_.kernel_registry());
    RegisterCpuKernels(&host_.kernel_registry());
    RegisterContractionKernels(&host_.kernel_registry());
    RegisterTestMatMulKernels(&host_.kernel_registry());
    EXPECT_TRUE(host_.kernel_registry().first_error().ok());
  }

  HostContext& host() { return host_; }

  // Runs a kernel with one result or three, and waits for what it started.
  Values Run(std::string_view name, const Values& arguments, const Attributes& attributes = {},
             size_t num_results = 1) {
    const KernelEntry* kernel = host_.kernel_registry().FindKernel(name);
    if (!kernel) {
      ADD_FAILURE() << "no kernel " << name;
      return {};
    }
    std::vector<AsyncValue*> registers;
    for (const auto& argument : arguments) registers.push_back(argument.get());
    std::vector<uint32_t> indices(registers.size());
    std::iota(indices.begin(), indices.end(), 0);
    std::vector<const uint8_t*> attribute_data;
    for (const auto& attribute : attributes) attribute_data.push_back(attribute.bytes());
    std::vector<AsyncValue*> results(num_results);
    KernelCallSite site;
    site.arguments = indices.data();
    site.num_arguments = registers.size();
    site.num_attributes = attributes.size();
    site.num_results = num_results;
    AsyncKernelFrame::Tables tables{.attributes = attribute_data.data()};
    internal::BorrowedContext kernel_ctx(exec_ctx_);
    AsyncKernelFrame::Parts parts;
    parts.site = &site;
    parts.registers = registers.data();
    parts.results = results.data();
    parts.exec_ctx = &kernel_ctx;
    parts.tables = &tables;
    AsyncKernelFrame frame(parts);
    kernel->async_function(&frame);
    host_.Await(results);
    host_.Quiesce();
    Values owned;
    for (AsyncValue* result : results) owned.push_back(TakeRef(result));
    return owned;
  }

  // Runs a sync kernel without results on dense tensors, which share the memory of the arguments.
  Status RunSync(std::string_view name, const Values& arguments,
                 const Attributes& attributes = {}) {
    const KernelEntry* kernel = host_.kernel_registry().FindKernel(name);
    if (!kernel || !kernel->is_sync()) return NotFoundError(std::string(name));
    std::vector<Value> values;
    for (const auto& argument : arguments) {
      values.push_back(Value::Make(argument->get<DenseHostTensor>().ShareBuffer()));
    }
    std::vector<Value*> registers;
    for (Value& value : values) registers.push_back(&value);
    std::vector<uint32_t> indices(registers.size());
    std::iota(indices.begin(), indices.end(), 0);
    std::vector<const uint8_t*> attribute_data;
    for (const auto& attribute : attributes) attribute_data.push_back(attribute.bytes());
    KernelCallSite site;
    site.arguments = indices.data();
    site.num_arguments = registers.size();
    site.num_attributes = attributes.size();
    SyncKernelFrame::Parts parts;
    parts.site = &site;
    parts.registers = registers.data();
    parts.attributes = attribute_data.data();
    parts.exec_ctx = &exec_ctx_;
    SyncKernelFrame frame(parts);
    kernel->sync_function(&frame);
    return frame.status();
  }

  // The message of a kernel's error.
  std::string Error(std::string_view name, const Values& arguments,
                    const Attributes& attributes = {}) {
    Values results = Run(name, arguments, attributes);
    if (results.empty() || !results[0]->IsError()) return "(no error)";
    return std::string(results[0]->GetError().message());
  }

  DenseHostTensor Uninitialized(TensorMetadata metadata) {
    auto tensor = DenseHostTensor::CreateUninitialized(std::move(metadata), host_.allocator());
    EXPECT_TRUE(tensor.ok());
    return *std::move(tensor);
  }
  template <typename T>
  RCReference<AsyncValue> Tensor(TensorShape shape, const std::vector<T>& elements) {
    DenseHostTensor tensor = Uninitialized({DTypeOf<T>(), std::move(shape)});
    auto view = MutableDenseView<T>::Create(tensor, "it");
    EXPECT_EQ(view->size(), elements.size());
    std::copy(elements.begin(), elements.end(), view->data());
    return MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(tensor)).ReleaseRCRef();
  }
  RCReference<AsyncValue> Floats(TensorShape shape) {
    return Tensor<float>(shape, std::vector<float>(shape.num_elements()));
  }
  RCReference<AsyncValue> Ints(TensorShape shape) {
    return Tensor<int32_t>(shape, std::vector<int32_t>(shape.num_elements()));
  }

 private:
  HostContext host_;
  ExecutionContext exec_ctx_;
};

inline RCReference<AsyncValue> ChainValue() { return GetReadyChain().ReleaseRCRef(); }
inline RCReference<AsyncValue> ShapeValue(TensorShape shape) {
  return MakeAvailableAsyncValueRef<TensorShape>(std::move(shape)).ReleaseRCRef();
}
inline RCReference<AsyncValue> Share(const RCReference<AsyncValue>& tensor) {
  return MakeAvailableAsyncValueRef<DenseHostTensor>(tensor->get<DenseHostTensor>().ShareBuffer())
      .ReleaseRCRef();
}
// A tensor over the bytes of another.
inline RCReference<AsyncValue> View(const RCReference<AsyncValue>& tensor, TensorMetadata metadata,
                                    size_t offset) {
  size_t size = static_cast<size_t>(metadata.shape.num_elements()) * DTypeSize(metadata.dtype);
  auto slice = HostBuffer::CreateSlice(tensor->get<DenseHostTensor>().buffer(), offset, size);
  auto view = DenseHostTensor::CreateFromBuffer(std::move(metadata), std::move(slice));
  EXPECT_TRUE(view.ok());
  return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(view)).ReleaseRCRef();
}
template <typename T>
std::vector<T> Elements(const RCReference<AsyncValue>& value) {
  auto view = DenseView<T>::Create(value->get<DenseHostTensor>(), "it");
  EXPECT_TRUE(view.ok());
  return {view->elements().begin(), view->elements().end()};
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_KERNELS_CPU_CPU_KERNEL_RUNNER_H_
