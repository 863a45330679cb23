#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "btf.h"
#include "btf_format.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// The same elements in memory of their own.
StatusOr<DenseHostTensor> CopyToMemory(TensorMetadata metadata, const DenseHostTensor& tensor) {
  size_t size = tensor.size_bytes();
  void* copy = std::malloc(std::max<size_t>(1, size));
  if (!copy) return ResourceExhaustedError("cannot allocate result tensor");
  if (size > 0) std::memcpy(copy, tensor.data(), size);
  return DenseHostTensor::CreateFromBuffer(
      std::move(metadata),
      HostBuffer::CreateFromExternal(copy, size, [](void* data, size_t) { std::free(data); }));
}

// The names of the format.
std::string DTypeCodeName(uint8_t code) {
  constexpr std::string_view kNames[] = {"i8",  "i16", "i32",  "i64",  "f32",
                                         "f64", "ui8", "ui16", "ui32", "ui64"};
  if (code < std::size(kNames)) return std::string(kNames[code]);
  return StrCat("BadDtype(", code, ")");
}

std::string_view LayoutName(uint8_t code) {
  switch (code) {
    case static_cast<uint8_t>(BtfLayout::kDense):
      return "Row-Major Dense tensor";
    case static_cast<uint8_t>(BtfLayout::kCoo):
      return "COOrdinate list sparse tensor";
    default:
      return "Unknown";
  }
}

Status LayoutError(const BtfHeader& header) {
  return InvalidArgumentError(StrCat("unexpected tensor layout ", LayoutName(header.layout_code)));
}

}  // namespace

DType BtfHeader::dtype() const {
  return dtype_code < std::size(internal::kBtfDTypes) ? internal::kBtfDTypes[dtype_code]
                                                      : DType::kUnsupported;
}

Status BtfHeader::Expect(DType expected_dtype, uint64_t expected_rank, BtfLayout layout) const {
  if (dtype() != expected_dtype) {
    auto code = std::ranges::find(internal::kBtfDTypes, expected_dtype);
    return InvalidArgumentError(
        StrCat("unexpected tensor dtype ", DTypeCodeName(dtype_code), ". Expected dtype is ",
               DTypeCodeName(static_cast<uint8_t>(code - std::begin(internal::kBtfDTypes)))));
  }
  if (rank != expected_rank) {
    return InvalidArgumentError(
        StrCat("unexpected tensor rank ", rank, ". Expected rank is ", expected_rank));
  }
  return HasLayout(layout) ? OkStatus() : LayoutError(*this);
}

// A position in the file that cannot leave it.
class BtfFile::Cursor {
 public:
  Cursor(const HostBuffer& file, uint64_t offset) : file_(file), offset_(offset) {}

  uint64_t offset() const { return offset_; }
  // False if fewer bytes remain; the cursor then stays.
  bool Skip(uint64_t size_bytes) {
    if (!HasBytes(size_bytes)) return false;
    offset_ += size_bytes;
    return true;
  }
  template <typename T>
  bool Read(T* value) {
    if (!HasBytes(sizeof(T))) return false;
    std::memcpy(value, static_cast<const char*>(file_.data()) + offset_, sizeof(T));
    offset_ += sizeof(T);
    return true;
  }
  template <typename T>
  bool Read(std::vector<T>* values, uint64_t count) {
    if (offset_ > file_.size() || count > (file_.size() - offset_) / sizeof(T)) return false;
    values->resize(count);
    for (T& value : *values) Read(&value);
    return true;
  }

 private:
  bool HasBytes(uint64_t size_bytes) const {
    return offset_ <= file_.size() && size_bytes <= file_.size() - offset_;
  }

  const HostBuffer& file_;
  uint64_t offset_;
};

StatusOr<BtfFile> BtfFile::Open(const std::string& path, FileBytes::Access access) {
  StatusOr<FileBytes> bytes = FileBytes::FromFile(path, access);
  if (!bytes.ok()) {
    return Status(bytes.status().code(), StrCat("failed to open file ", path, " for reading"));
  }
  return FromBytes(*std::move(bytes), path);
}

StatusOr<BtfFile> BtfFile::FromBytes(FileBytes bytes, std::string name) {
  // Shared, because a std::function must be able to copy what it holds.
  auto owner = std::make_shared<FileBytes>(std::move(bytes));
  std::span<const uint8_t> span = owner->bytes();
  bool is_writable = owner->is_writable();
  HostBuffer::Deallocator release = [owner = std::move(owner)](void*, size_t) {};
  RCReference<HostBuffer> buffer =
      is_writable ? HostBuffer::CreateFromExternal(const_cast<uint8_t*>(span.data()), span.size(),
                                                   std::move(release))
                  : HostBuffer::CreateFromConstant(span.data(), span.size(), std::move(release));
  BtfFile file(std::move(buffer), std::move(name));
  if (!Cursor(*file.buffer_, 0).Read(&file.num_tensors_)) {
    return DataLossError(StrCat("failed to read tensor num_tensors from path ", file.name_));
  }
  return file;
}

bool BtfFile::HasOffset(int64_t index) const {
  uint64_t num_words =
      buffer_->size() / sizeof(uint64_t);  // the first one is the number of tensors
  return static_cast<uint64_t>(index) < num_tensors_ &&
         static_cast<uint64_t>(index) < num_words - 1;
}

StatusOr<BtfHeader> BtfFile::ReadHeader(int64_t index) const {
  if (static_cast<uint64_t>(index) >= num_tensors_) {
    return InvalidArgumentError(StrCat("invalid tensor index ", index, " to read tensor from path ",
                                       name_, " which contains ", num_tensors_, " tensors"));
  }
  if (!HasOffset(index)) {
    return DataLossError(
        StrCat("failed to read tensor offset from ", name_, " for tensor index ", index));
  }
  BtfHeader header;
  Cursor(*buffer_, sizeof(uint64_t) * (1 + static_cast<uint64_t>(index))).Read(&header.offset);
  std::string message =
      StrCat("failed to read tensor header from stream at offset ", header.offset);
  if (header.offset % internal::kBtfAlignment != 0) {
    return DataLossError(StrCat(message, ", which is not a multiple of 8"));
  }
  Cursor cursor(*buffer_, header.offset);
  constexpr uint64_t kPaddingSize = internal::kBtfHeaderSize - sizeof(uint64_t) - 2;
  if (!cursor.Read(&header.rank) || !cursor.Read(&header.dtype_code) ||
      !cursor.Read(&header.layout_code) || !cursor.Skip(kPaddingSize)) {
    return DataLossError(message);
  }
  return header;
}

// Reads the dimensions of a record; the cursor is then at its payload.
StatusOr<TensorShape> BtfFile::ReadShape(const BtfHeader& header, Cursor* cursor) const {
  std::string message = StrCat("failed to read tensor dims at offset ", header.offset);
  if (header.dtype() == DType::kUnsupported) {
    return InvalidArgumentError(
        StrCat("unexpected tensor dtype ", DTypeCodeName(header.dtype_code)));
  }
  std::vector<int64_t> dims;
  if (!cursor->Skip(internal::kBtfHeaderSize) || !cursor->Read(&dims, header.rank)) {
    return DataLossError(message);
  }
  StatusOr<TensorShape> shape = TensorShape::Create(dims);
  if (!shape.ok()) return DataLossError(StrCat(message, ": ", shape.status().message()));
  return shape;
}

// The tensor whose elements lie at `offset`, as many as there are.
StatusOr<DenseHostTensor> BtfFile::MakeTensor(TensorMetadata metadata, uint64_t offset) const {
  uint64_t size_bytes;
  RCReference<HostBuffer> slice;
  if (!__builtin_mul_overflow(metadata.shape.num_elements(), DTypeSize(metadata.dtype),
                              &size_bytes)) {
    slice = HostBuffer::CreateSlice(buffer_, offset, size_bytes);
  }
  if (!slice) return DataLossError("the file ends before its data");
  return DenseHostTensor::CreateFromBuffer(std::move(metadata), std::move(slice));
}

StatusOr<DenseHostTensor> BtfFile::ReadDense(const BtfHeader& header) const {
  if (!header.HasLayout(BtfLayout::kDense)) return LayoutError(header);
  Cursor cursor(*buffer_, header.offset);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ReadShape(header, &cursor));
  auto tensor = MakeTensor({header.dtype(), std::move(shape)}, cursor.offset());
  if (!tensor.ok()) {
    return DataLossError(StrCat("failed to read tensor data from stream at offset ", header.offset,
                                ": ", tensor.status().message()));
  }
  return tensor;
}

StatusOr<CooHostTensor> BtfFile::ReadCoo(const BtfHeader& header) const {
  if (!header.HasLayout(BtfLayout::kCoo)) return LayoutError(header);
  Cursor cursor(*buffer_, header.offset);
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ReadShape(header, &cursor));
  // The index tensor and then the tensor of values, each with its dimensions in front.
  auto read_inner = [&](DType dtype, uint64_t rank) -> StatusOr<DenseHostTensor> {
    uint64_t begin = cursor.offset();
    std::vector<int64_t> dims;
    StatusOr<TensorShape> inner_shape = DataLossError("");
    if (cursor.Read(&dims, rank)) inner_shape = TensorShape::Create(dims);
    if (!inner_shape.ok()) {
      return DataLossError(StrCat("failed to read tensor dims at offset ", begin));
    }
    auto tensor = MakeTensor({dtype, *std::move(inner_shape)}, cursor.offset());
    if (!tensor.ok() || !cursor.Skip(tensor->size_bytes())) {
      return DataLossError(StrCat("failed to read tensor data from stream at offset ", begin));
    }
    return tensor;
  };
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor indices, read_inner(DType::kI64, 2));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor values, read_inner(header.dtype(), 1));

  auto rank = static_cast<int64_t>(shape.rank());
  int64_t count = values.num_elements();
  int64_t expected;
  if (__builtin_mul_overflow(count, rank, &expected) || indices.num_elements() != expected) {
    return DataLossError(
        StrCat("the tensor is not corectly formatted, the indices and values tensors do not match "
               "in size ",
               LayoutName(header.layout_code)));
  }
  // A copy of the indices: they are checked here, and what is mapped may change while its file
  // does.
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor own_indices,
                        CopyToMemory({DType::kI64, TensorShape{count, rank}}, indices));
  auto* index = static_cast<const int64_t*>(own_indices.data());
  for (int64_t row = 0; row < count; ++row) {
    for (int64_t column = 0; column < rank; ++column, ++index) {
      int64_t limit = shape.dim(static_cast<size_t>(column));
      if (*index >= 0 && *index < limit) continue;
      return DataLossError(StrCat(
          "the indices tensor has an element at position ", row, ", ", column,
          " that bigger than the respective dimension. Element: ", *index, ", limit: ", limit));
    }
  }
  return CooHostTensor::Create(std::move(shape), std::move(own_indices), std::move(values));
}

}  // namespace tfrt
