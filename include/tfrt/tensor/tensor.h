// Tensor: the base of all kinds of tensors.
#ifndef TFRT_TENSOR_TENSOR_H_
#define TFRT_TENSOR_TENSOR_H_

#include <string>
#include <string_view>
#include <utility>

#include "tfrt/host_context/memory_space.h"
#include "tfrt/tensor/dtype.h"
#include "tfrt/tensor/shape.h"
#include "tfrt/tensor/tensor_type.h"

namespace tfrt {

class AsyncValue;

struct TensorMetadata {
  DType dtype = DType::kUnsupported;
  TensorShape shape;

  std::string ToString() const;  // "f32 [2, 3]"

  friend bool operator==(const TensorMetadata&, const TensorMetadata&) = default;
};

// The base of payloads that kernels take where any kind of tensor fits. A derived payload names it
// with `using AsyncValueBases = BaseTypes<Tensor>;` and has it as its first base.
class Tensor {
 public:
  static constexpr std::string_view kProgramTypeName = "tensor";
  virtual ~Tensor() = default;

  const TensorMetadata& metadata() const { return metadata_; }
  DType dtype() const { return metadata_.dtype; }
  const TensorShape& shape() const { return metadata_.shape; }
  int64_t num_elements() const { return shape().num_elements(); }

  virtual TensorType tensor_type() const = 0;
  // Returns the memory that holds the elements.
  virtual const MemorySpace& memory_space() const { return MemorySpace::Host(); }
  // On a device with timelines a tensor is available once the work that makes its elements is
  // enqueued. The returned value becomes available when the elements are, or becomes the error that
  // replaces them. Its waiters run on a thread of the device and must not block. Null if the
  // elements are already available, as those of all host tensors are.
  virtual AsyncValue* elements() const { return nullptr; }
  // Returns the text of tfrt_dht.print_tensor, without the newline that the print kernels add.
  virtual std::string ToString() const = 0;

 protected:
  explicit Tensor(const TensorMetadata& metadata) : metadata_(metadata) {}
  explicit Tensor(TensorMetadata&& metadata) : metadata_(std::move(metadata)) {}
  Tensor(Tensor&&) = default;
  Tensor& operator=(Tensor&&) = default;

 private:
  TensorMetadata metadata_;
};

}  // namespace tfrt

#endif  // TFRT_TENSOR_TENSOR_H_
