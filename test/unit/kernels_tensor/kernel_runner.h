// Runs single kernels by name, without a program.
#ifndef TFRT_TEST_UNIT_KERNELS_TENSOR_KERNEL_RUNNER_H_
#define TFRT_TEST_UNIT_KERNELS_TENSOR_KERNEL_RUNNER_H_

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_frame.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {

using Values = std::vector<RCReference<AsyncValue>>;

// An attribute encoded as in a BEF file.
class EncodedAttribute {
 public:
  template <typename T>
  static EncodedAttribute Scalar(T value) {
    EncodedAttribute attribute(0, sizeof(T));
    std::memcpy(attribute.data(), &value, sizeof(T));
    return attribute;
  }
  template <typename T>
  static EncodedAttribute Array(const std::vector<T>& elements) {
    EncodedAttribute attribute(4, 4 + elements.size() * sizeof(T));
    uint32_t count = elements.size();
    std::memcpy(attribute.data(), &count, 4);
    if (count) std::memcpy(attribute.data() + 4, elements.data(), count * sizeof(T));
    return attribute;
  }
  static EncodedAttribute String(std::string_view text) {
    return Array(std::vector<char>(text.begin(), text.end()));
  }
  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(words_.data()) + begin_; }

 private:
  EncodedAttribute(size_t begin, size_t size) : words_((begin + size + 7) / 8), begin_(begin) {}
  uint8_t* data() { return reinterpret_cast<uint8_t*>(words_.data()) + begin_; }
  std::vector<uint64_t> words_;
  size_t begin_;  // so that 8-byte elements behind a count of 4 bytes are aligned
};

class KernelRunner {
 public:
  explicit KernelRunner(
      std::unique_ptr<HostAllocator> allocator = CreateMallocAllocator(),
      std::unique_ptr<ConcurrentWorkQueue> queue = CreateSingleThreadedWorkQueue())
      : host_([this](const DecodedDiagnostic& d) { error_ = d.status; }, std::move(allocator),
              std::move(queue)),
        exec_ctx_(RequestContextBuilder(&host_, nullptr).Build()) {
    RegisterTensorKernels(&host_.kernel_registry());
    RegisterEigenKernels(&host_.kernel_registry());
  }

  HostContext& host() { return host_; }

  // Runs kernel `name` and returns its results when they are available.
  Values Run(std::string_view name, const Values& arguments, size_t num_results = 1,
             const std::vector<const uint8_t*>& attributes = {}) {
    const KernelEntry* kernel = host_.kernel_registry().FindKernel(name);
    if (!kernel) {
      ADD_FAILURE() << "no kernel " << name;
      return {};
    }
    std::vector<AsyncValue*> registers;
    for (const auto& argument : arguments) registers.push_back(argument.get());
    std::vector<uint32_t> indices(registers.size());
    std::iota(indices.begin(), indices.end(), 0);
    std::vector<AsyncValue*> results(num_results);
    KernelCallSite site;
    site.arguments = indices.data();
    site.num_arguments = registers.size();
    site.num_attributes = attributes.size();
    site.num_results = num_results;
    AsyncKernelFrame::Tables tables{.attributes = attributes.data()};
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
    Values owned;
    for (AsyncValue* result : results) owned.push_back(TakeRef(result));
    return owned;
  }

  // Runs a kernel that must fail, with as many results as it has, and returns the first's message.
  std::string Error(std::string_view name, const Values& arguments,
                    const std::vector<const uint8_t*>& attributes = {}) {
    const KernelEntry* kernel = host_.kernel_registry().FindKernel(name);
    const size_t fixed = kernel && kernel->signature ? kernel->signature->results.size() : 0;
    Values results = Run(name, arguments, std::max<size_t>(fixed, 1), attributes);
    if (results.empty() || !results[0] || !results[0]->IsError()) return "(no error)";
    return std::string(results[0]->GetError().message());
  }

  // A tensor with these elements.
  template <typename T>
  RCReference<AsyncValue> Tensor(TensorShape shape, const std::vector<T>& elements) {
    auto tensor =
        DenseHostTensor::CreateUninitialized({DTypeOf<T>(), std::move(shape)}, host_.allocator());
    EXPECT_TRUE(tensor.ok());
    auto view = MutableDenseView<T>::Create(*tensor, "it");
    EXPECT_EQ(view->size(), elements.size());
    std::copy(elements.begin(), elements.end(), view->data());
    return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor)).ReleaseRCRef();
  }

 private:
  Status error_;
  HostContext host_;
  ExecutionContext exec_ctx_;
};

inline RCReference<AsyncValue> ChainValue() { return GetReadyChain().ReleaseRCRef(); }
template <typename T>
RCReference<AsyncValue> Scalar(T value) {
  return MakeAvailableAsyncValueRef<T>(value).ReleaseRCRef();
}
inline RCReference<AsyncValue> Shape(TensorShape shape) {
  return MakeAvailableAsyncValueRef<TensorShape>(std::move(shape)).ReleaseRCRef();
}

// The elements of a dense tensor.
template <typename T>
std::vector<T> Elements(const RCReference<AsyncValue>& value) {
  auto view = DenseView<T>::Create(value->get<DenseHostTensor>(), "it");
  EXPECT_TRUE(view.ok());
  return {view->elements().begin(), view->elements().end()};
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_KERNELS_TENSOR_KERNEL_RUNNER_H_
