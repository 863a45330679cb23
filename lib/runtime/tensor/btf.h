// BTF, a simple file format for tensors (docs/tensors.md): reads without a copy, and writes.
//
//   TFRT_ASSIGN_OR_RETURN(BtfFile file, BtfFile::Open("weights.btf"));
//   TFRT_ASSIGN_OR_RETURN(BtfHeader header, file.ReadHeader(0));
//   TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, file.ReadDense(header));
#ifndef TFRT_LIB_RUNTIME_TENSOR_BTF_H_
#define TFRT_LIB_RUNTIME_TENSOR_BTF_H_

#include <cstdint>
#include <span>
#include <string>

#include "coo_host_tensor.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/support/file_bytes.h"
#include "tfrt/support/status.h"
#include "tfrt/support/write_file.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

enum class BtfLayout : uint8_t { kDense = 0, kCoo = 1 };

// The fixed part of a tensor's record, as stored in the file.
struct BtfHeader {
  uint64_t offset;  // of the record, in bytes from the start of the file
  uint64_t rank;
  uint8_t dtype_code;
  uint8_t layout_code;

  // Returns kUnsupported for codes that the format does not define.
  DType dtype() const;
  bool HasLayout(BtfLayout layout) const { return layout_code == static_cast<uint8_t>(layout); }
  // Returns InvalidArgument for the first of dtype, rank and layout that differs: "unexpected
  // tensor dtype f32. Expected dtype is i32", "unexpected tensor rank 1. Expected rank is 2",
  // "unexpected tensor layout Unknown".
  Status Expect(DType dtype, uint64_t rank, BtfLayout layout) const;
};

// Holds the bytes of a file. Its tensors share these bytes and keep them alive. Every byte that is
// read is checked: for any file contents the result is an error or a valid tensor. (But if another
// process shortens the file while it is mapped, this process ends, as does any program that maps
// files.) Movable. Thread-safe for concurrent reads.
class BtfFile {
 public:
  // Maps the file. With kReadOnly its tensors cannot be written. With kCopyOnWrite they can:
  // tensors of one record share what is written, which never reaches the file.
  static StatusOr<BtfFile> Open(const std::string& path,
                                FileBytes::Access access = FileBytes::Access::kReadOnly);
  // `name` stands for the path in messages.
  static StatusOr<BtfFile> FromBytes(FileBytes bytes, std::string name);

  // Returns the number that the file states; it may hold fewer.
  uint64_t num_tensors() const { return num_tensors_; }
  // True if the file is long enough to hold the offset of record `index`.
  bool HasOffset(int64_t index) const;

  // Finds record `index`. Fails with DataLoss or InvalidArgument and the place of the fault in the
  // file.
  StatusOr<BtfHeader> ReadHeader(int64_t index) const;
  // Reads the tensor of a record. The header must be one of this file's.
  StatusOr<DenseHostTensor> ReadDense(const BtfHeader& header) const;
  StatusOr<CooHostTensor> ReadCoo(const BtfHeader& header) const;

 private:
  class Cursor;

  BtfFile(RCReference<HostBuffer> buffer, std::string name)
      : buffer_(std::move(buffer)), name_(std::move(name)) {}
  StatusOr<DenseHostTensor> MakeTensor(TensorMetadata metadata, uint64_t offset) const;
  StatusOr<TensorShape> ReadShape(const BtfHeader& header, Cursor* cursor) const;

  RCReference<HostBuffer> buffer_;  // the whole file
  std::string name_;
  uint64_t num_tensors_ = 0;
};

using BtfSink = ByteSink;

// Writes dense and sparse tensors of integers and of 32 and 64-bit floats. For others it returns
// InvalidArgument before anything is written: "unhandled tensor type when writing btf" or "failed
// to cast DType to TensorDType". If the sink fails, returns DataLoss with the part that it did not
// take: "failed to write tensor dims".
Status WriteBtf(std::span<const Tensor* const> tensors, const BtfSink& sink);
// Writes to a file, which is replaced. Also fails with Internal "cannot write 'PATH': REASON".
Status WriteBtfFile(const std::string& path, std::span<const Tensor* const> tensors);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_BTF_H_
