// The layout of arrays in the DLPack exchange format, 1.x and before, as
// https://dmlc.github.io/dlpack/latest/ specifies it. Names of our own, so that a program may
// include dlpack/dlpack.h, too; what Tensor takes and gives are the structs of that header:
//
//   dlpack::ManagedArrayVersioned& array = dlpack::LayoutOf(*tensor.ToDlpackVersioned());
#ifndef TFRT_LIB_API_EAGER_DLPACK_H_
#define TFRT_LIB_API_EAGER_DLPACK_H_

#include <cstddef>
#include <cstdint>

#include "tfrt/support/location.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/foreign_stream.h"

struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace tfrt::eager {
class Tensor;
}  // namespace tfrt::eager

namespace tfrt::eager::dlpack {

struct Version {
  uint32_t major;  // another layout
  uint32_t minor;  // more codes and flags
};
inline constexpr Version kVersion = {1, 0};

// Device::type: the host, and the devices gpu:0, ....
inline constexpr int32_t kCpu = 1;
inline constexpr int32_t kCuda = 2;

struct Device {
  int32_t type;
  int32_t id;
};

enum TypeCode : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kOpaqueHandle = 3,
  kBfloat = 4,
  kComplex = 5,
  kBool = 6,
};

struct DataType {
  uint8_t code;  // TypeCode
  uint8_t bits;  // of a lane
  uint16_t lanes;
};

struct Array {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;      // in elements; null: row-major
  uint64_t byte_offset;  // from data to the first element
};

// ManagedArrayVersioned::flags.
inline constexpr uint64_t kReadOnly = 1;
inline constexpr uint64_t kIsCopied = 2;

// The layout of DLManagedTensor. Its owner calls the deleter (null: none) once.
struct ManagedArray {
  Array array;
  void* manager_ctx;  // the maker's
  void (*deleter)(ManagedArray* self);
};

// DLManagedTensorVersioned. Up to `flags` the layout is that of all versions.
struct ManagedArrayVersioned {
  Version version;
  void* manager_ctx;
  void (*deleter)(ManagedArrayVersioned* self);
  uint64_t flags;
  Array array;
};

static_assert(sizeof(void*) == 8, "the offsets below are those of 64-bit systems");
static_assert(sizeof(DataType) == 4 && offsetof(DataType, lanes) == 2);
static_assert(sizeof(Array) == 48 && offsetof(Array, device) == 8 && offsetof(Array, ndim) == 16 &&
              offsetof(Array, dtype) == 20 && offsetof(Array, shape) == 24 &&
              offsetof(Array, strides) == 32 && offsetof(Array, byte_offset) == 40);
static_assert(sizeof(ManagedArray) == 64 && offsetof(ManagedArray, manager_ctx) == 48 &&
              offsetof(ManagedArray, deleter) == 56);
static_assert(sizeof(ManagedArrayVersioned) == 80 &&
              offsetof(ManagedArrayVersioned, manager_ctx) == 8 &&
              offsetof(ManagedArrayVersioned, deleter) == 16 &&
              offsetof(ManagedArrayVersioned, flags) == 24 &&
              offsetof(ManagedArrayVersioned, array) == 32);

inline ManagedArray& LayoutOf(DLManagedTensor* array) {
  return *reinterpret_cast<ManagedArray*>(array);
}
inline ManagedArrayVersioned& LayoutOf(DLManagedTensorVersioned* array) {
  return *reinterpret_cast<ManagedArrayVersioned*>(array);
}
inline DLManagedTensor* HandleOf(ManagedArray* array) {
  return reinterpret_cast<DLManagedTensor*>(array);
}
inline DLManagedTensorVersioned* HandleOf(ManagedArrayVersioned* array) {
  return reinterpret_cast<DLManagedTensorVersioned*>(array);
}

// Returns where ToDlpack has the elements. Does not wait.
Device DeviceOf(const Tensor& tensor);

// As Tensor::ToDlpack, in host memory wherever the tensor is.
StatusOr<DLManagedTensor*> ToHostDlpack(const Tensor& tensor, Location where);
StatusOr<DLManagedTensorVersioned*> ToHostDlpackVersioned(const Tensor& tensor, Location where);

// Returns a stream of a device of the scope's context. A library that is asked for an array there
// makes it wait, and Tensor::FromDlpack is then called with it. kNone for the host. Fails with
// InvalidArgument for a device that the context does not have.
StatusOr<ForeignStream> StreamForProducers(Device device, Location where);

}  // namespace tfrt::eager::dlpack

#endif  // TFRT_LIB_API_EAGER_DLPACK_H_
