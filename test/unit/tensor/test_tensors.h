// Tensors with given elements.
#ifndef TFRT_TEST_UNIT_TENSOR_TEST_TENSORS_H_
#define TFRT_TEST_UNIT_TENSOR_TEST_TENSORS_H_

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "lib/runtime/tensor/coo_host_tensor.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {

inline HostAllocator* TestAllocator() {
  static HostAllocator* allocator = CreateMallocAllocator().release();
  return allocator;
}

template <typename T>
DenseHostTensor MakeDense(TensorShape shape, const std::vector<T>& elements) {
  auto tensor =
      DenseHostTensor::CreateUninitialized({DTypeOf<T>(), std::move(shape)}, TestAllocator());
  auto view = MutableDenseView<T>::Create(*tensor, "it");
  EXPECT_EQ(view->size(), elements.size());
  std::copy(elements.begin(), elements.end(), view->data());
  return *std::move(tensor);
}

template <typename T>
StatusOr<CooHostTensor> MakeCoo(TensorShape shape, const std::vector<int64_t>& indices,
                                const std::vector<T>& values,
                                CooIndexOrder order = CooIndexOrder::kRowMajor) {
  auto count = static_cast<int64_t>(values.size());
  auto rank = static_cast<int64_t>(shape.rank());
  return CooHostTensor::Create(std::move(shape),
                               MakeDense<int64_t>(TensorShape{count, rank}, indices),
                               MakeDense<T>(TensorShape{count}, values), order);
}

inline StringHostTensor MakeStrings(TensorShape shape, const std::vector<std::string>& strings) {
  auto tensor = StringHostTensor::CreateEmpty(std::move(shape), TestAllocator());
  EXPECT_EQ(tensor->strings().size(), strings.size());
  std::ranges::copy(strings, tensor->MutableStrings().begin());
  return *std::move(tensor);
}

template <typename T>
std::vector<T> ElementsOf(const DenseHostTensor& tensor) {
  auto view = DenseView<T>::Create(tensor, "it");
  EXPECT_TRUE(view.ok());
  return {view->elements().begin(), view->elements().end()};
}

}  // namespace tfrt

#endif  // TFRT_TEST_UNIT_TENSOR_TEST_TENSORS_H_
