// NPY, NumPy's file format for one array: what `numpy.save` and `numpy.load` understand.
#ifndef TFRT_TENSOR_NPY_H_
#define TFRT_TENSOR_NPY_H_

#include <string>

#include "tfrt/host_context/host_allocator.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/status.h"
#include "tfrt/support/write_file.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// The array of a file of version 1 to 3, little endian, in C order, of a dtype that NumPy has too:
// bool is i1, and integers, float16 to float64, complex64 and complex128 what they are called. The
// tensor has memory of its own. InvalidArgument with what is wrong or not supported, for whatever
// bytes; `name` stands for the file in messages.
StatusOr<DenseHostTensor> ReadNpy(std::span<const uint8_t> bytes, const std::string& name,
                                  HostAllocator* allocator);
// The errors of FileBytes::FromFile, too.
StatusOr<DenseHostTensor> ReadNpyFile(const std::string& path, HostAllocator* allocator);

// InvalidArgument for a dtype that NumPy has not: bf16 above all, which has to be cast before.
Status WriteNpy(const DenseHostTensor& tensor, const ByteSink& sink);
// Replaces the file; see WriteFile.
Status WriteNpyFile(const std::string& path, const DenseHostTensor& tensor);

}  // namespace tfrt

#endif  // TFRT_TENSOR_NPY_H_
