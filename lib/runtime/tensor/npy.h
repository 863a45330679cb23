// NPY, NumPy's file format for one array: the files of `numpy.save` and `numpy.load`.
#ifndef TFRT_LIB_RUNTIME_TENSOR_NPY_H_
#define TFRT_LIB_RUNTIME_TENSOR_NPY_H_

#include <string>

#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/status.h"
#include "tfrt/support/write_file.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// Reads the array of a file of version 1 to 3, little endian, in C order, of a dtype that NumPy
// also has. NumPy's bool is i1 here; integers, float16 to float64, complex64 and complex128 keep
// their names. The tensor has its own memory. Accepts any bytes: fails with InvalidArgument that
// reports what is wrong or not supported. The `name` stands for the file in messages.
StatusOr<DenseHostTensor> ReadNpy(std::span<const uint8_t> bytes, const std::string& name,
                                  HostAllocator* allocator);
// Also fails like FileBytes::FromFile.
StatusOr<DenseHostTensor> ReadNpyFile(const std::string& path, HostAllocator* allocator);

// Fails with InvalidArgument for a dtype that NumPy does not have. Above all that is bf16, which
// must be cast first.
Status WriteNpy(const DenseHostTensor& tensor, const ByteSink& sink);
// Replaces the file; see WriteFile.
Status WriteNpyFile(const std::string& path, const DenseHostTensor& tensor);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_NPY_H_
