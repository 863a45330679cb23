// Eager tensors behind a C interface, for a Python test that has no bindings: exchange_test.py.
// One context with one scope, of the thread that opens it. Functions that return a pointer return
// null for an error, which exchange_error() then names.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lib/api/eager/dlpack.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/opinfo/element_type.h"

namespace {

using namespace tfrt;

struct Session {
  std::unique_ptr<eager::Context> context;
  std::optional<eager::Scope> scope;
};
std::unique_ptr<Session> session;
std::string last_error;

DType DTypeOfNumpy(std::string_view name) {
  for (size_t code = 0; code < kNumElementTypes; ++code) {
    if (!name.empty() && name == kElementTypes[code].numpy_name) return static_cast<DType>(code);
  }
  return DType::kUnsupported;
}

eager::Tensor* Hand(StatusOr<eager::Tensor> tensor) {
  if (tensor.ok()) return new eager::Tensor(*std::move(tensor));
  last_error = tensor.status().message();
  return nullptr;
}

template <typename T>
void* HandStruct(StatusOr<T*> array) {
  if (array.ok()) return *array;
  last_error = array.status().message();
  return nullptr;
}

}  // namespace

extern "C" {

bool exchange_open(bool async) {
  auto context = eager::Context::Create({});
  if (!context.ok()) {
    last_error = context.status().message();
    return false;
  }
  session = std::make_unique<Session>();
  session->context = *std::move(context);
  session->scope.emplace(*session->context,
                         eager::ScopeOptions{.mode = async ? eager::ExecutionMode::kAsync
                                                           : eager::ExecutionMode::kSync});
  return true;
}
void exchange_close() { session.reset(); }
const char* exchange_error() { return last_error.c_str(); }

// Of a copy of the elements.
void* exchange_make(const char* numpy_dtype, const int64_t* dims, size_t rank, const void* data,
                    size_t bytes) {
  return Hand(eager::Tensor::FromArray(
      eager::HostArray(DTypeOfNumpy(numpy_dtype), std::span(dims, rank),
                       std::span(static_cast<const std::byte*>(data), bytes))));
}
void exchange_drop(void* tensor) { delete static_cast<eager::Tensor*>(tensor); }

void* exchange_export(const void* tensor, bool versioned) {
  const auto& from = *static_cast<const eager::Tensor*>(tensor);
  if (versioned) return HandStruct(from.ToDlpackVersioned());
  return HandStruct(from.ToDlpack());
}
// On success the struct is the tensor's.
void* exchange_import(void* array, bool versioned) {
  if (versioned) {
    return Hand(eager::Tensor::FromDlpack(static_cast<DLManagedTensorVersioned*>(array)));
  }
  return Hand(eager::Tensor::FromDlpack(static_cast<DLManagedTensor*>(array)));
}
// Twice the tensor of f32, which it takes over: an op may write its result there.
void* exchange_double(void* tensor) {
  std::unique_ptr<eager::Tensor> x(static_cast<eager::Tensor*>(tensor));
  return Hand(std::move(*x) * 2.0f);
}
}
