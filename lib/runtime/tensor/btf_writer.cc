#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "btf.h"
#include "btf_format.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// One tensor, ready to be written.
struct Record {
  const Tensor* tensor;
  uint8_t dtype_code;
  BtfLayout layout;

  uint64_t dims_size() const { return 8 * tensor->shape().rank(); }
  uint64_t elements_size() const {
    if (layout == BtfLayout::kDense) return dense().size_bytes();
    // [n, rank], the indices, [n], the values.
    return 16 + 8 * coo().index_data().size() + 8 + coo().values().size_bytes();
  }
  uint64_t size() const {
    uint64_t payload = elements_size();
    return internal::kBtfHeaderSize + dims_size() + payload + internal::BtfPadding(payload);
  }
  const DenseHostTensor& dense() const { return static_cast<const DenseHostTensor&>(*tensor); }
  const CooHostTensor& coo() const { return static_cast<const CooHostTensor&>(*tensor); }
};

StatusOr<Record> MakeRecord(const Tensor& tensor) {
  Record record{&tensor, 0, BtfLayout::kDense};
  if (tensor.tensor_type() == kCooHostTensorType) {
    record.layout = BtfLayout::kCoo;
  } else if (tensor.tensor_type() != kDenseHostTensorType) {
    return InvalidArgumentError("unhandled tensor type when writing btf");
  }
  auto dtype = std::ranges::find(internal::kBtfDTypes, tensor.dtype());
  if (dtype == std::end(internal::kBtfDTypes)) {
    return InvalidArgumentError("failed to cast DType to TensorDType");
  }
  record.dtype_code = static_cast<uint8_t>(dtype - std::begin(internal::kBtfDTypes));
  return record;
}

// Hands bytes to the sink until it takes no more.
class Writer {
 public:
  explicit Writer(const BtfSink& sink) : sink_(sink) {}

  Status Write(const void* data, uint64_t size_bytes, std::string_view part) {
    if (size_bytes == 0 || sink_(data, size_bytes)) return OkStatus();
    return DataLossError(StrCat("failed to ", part));
  }
  Status WriteRecord(const Record& record) {
    const TensorShape& shape = record.tensor->shape();
    uint64_t rank = shape.rank();
    unsigned char header[internal::kBtfHeaderSize] = {};
    std::memcpy(header, &rank, sizeof(rank));
    header[8] = record.dtype_code;
    header[9] = static_cast<uint8_t>(record.layout);
    TFRT_RETURN_IF_ERROR(Write(header, sizeof(header), "write tensor header"));
    TFRT_RETURN_IF_ERROR(WriteDims(shape.dims()));
    if (record.layout == BtfLayout::kDense) {
      TFRT_RETURN_IF_ERROR(WriteData(record.dense().data(), record.dense().size_bytes()));
    } else {
      TFRT_RETURN_IF_ERROR(WriteCoo(record.coo()));
    }
    constexpr char kZeros[internal::kBtfAlignment] = {};
    return Write(kZeros, internal::BtfPadding(record.elements_size()), "pad tensor");
  }

 private:
  Status WriteDims(std::span<const int64_t> dims) {
    return Write(dims.data(), dims.size_bytes(), "write tensor dims");
  }
  Status WriteData(const void* data, uint64_t size_bytes) {
    return Write(data, size_bytes, "write tensor data");
  }
  Status WriteCoo(const CooHostTensor& coo) {
    const TensorShape& shape = coo.shape();
    auto count = static_cast<int64_t>(coo.num_values());
    TFRT_RETURN_IF_ERROR(
        WriteDims(std::initializer_list<int64_t>{count, static_cast<int64_t>(shape.rank())}));
    // In the file coordinates are those of the shape, whatever the tensor's index order.
    std::vector<int64_t> row(shape.rank());
    for (size_t i = 0; i < coo.num_values(); ++i) {
      int64_t rest = coo.LinearIndex(i);
      for (size_t column = row.size(); column-- > 0;) {
        row[column] = rest % shape.dim(column);
        rest /= shape.dim(column);
      }
      TFRT_RETURN_IF_ERROR(WriteData(row.data(), row.size() * sizeof(int64_t)));
    }
    TFRT_RETURN_IF_ERROR(WriteDims(std::initializer_list<int64_t>{count}));
    return WriteData(coo.values().data(), coo.values().size_bytes());
  }

  const BtfSink& sink_;
};

}  // namespace

Status WriteBtf(std::span<const Tensor* const> tensors, const BtfSink& sink) {
  std::vector<Record> records;
  for (const Tensor* tensor : tensors) {
    TFRT_ASSIGN_OR_RETURN(Record record, MakeRecord(*tensor));
    records.push_back(record);
  }
  Writer writer(sink);
  uint64_t count = records.size();
  TFRT_RETURN_IF_ERROR(writer.Write(&count, sizeof(count), "write num_tensors"));
  uint64_t offset = 8 * (count + 1);
  for (const Record& record : records) {
    TFRT_RETURN_IF_ERROR(writer.Write(&offset, sizeof(offset), "write offsets"));
    offset += record.size();
  }
  for (const Record& record : records) TFRT_RETURN_IF_ERROR(writer.WriteRecord(record));
  return OkStatus();
}

Status WriteBtfFile(const std::string& path, std::span<const Tensor* const> tensors) {
  return WriteFile(path, [&](const ByteSink& sink) { return WriteBtf(tensors, sink); });
}

}  // namespace tfrt
