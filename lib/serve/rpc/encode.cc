#include <utility>

#include "lib/serve/rpc/datatypes.h"
#include "lib/serve/rpc/messages.h"
#include "tfrt/model/model.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve::rpc {
namespace {

// Writes the wire format of protocol buffers. Fields with their default values are left out.
class Writer {
 public:
  void Number(uint32_t field, uint64_t value) {
    if (value == 0) return;
    Varint(field << 3);
    Varint(value);
  }
  void Text(uint32_t field, std::string_view text) {
    if (!text.empty()) Bytes(field, text);
  }
  // Also where it is empty: an element of a repeated field, or a message.
  void Bytes(uint32_t field, std::string_view bytes) {
    Header(field, bytes.size());
    text_ += bytes;
  }
  // Before bytes that follow elsewhere.
  void Header(uint32_t field, size_t size) {
    Varint(field << 3 | 2);
    Varint(size);
  }
  void Varint(uint64_t value) {
    while (value >= 0x80) {
      text_ += static_cast<char>(value | 0x80);
      value >>= 7;
    }
    text_ += static_cast<char>(value);
  }
  const std::string& text() const { return text_; }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

OwnedBytes Own(std::string text) {
  auto owner = std::make_shared<std::string>(std::move(text));
  return {std::as_bytes(std::span(*owner)), owner};
}
SentMessage Whole(Writer& writer) { return {Own(writer.Take())}; }

std::string Packed(std::span<const int64_t> sizes) {
  Writer writer;
  for (int64_t size : sizes) writer.Varint(static_cast<uint64_t>(size));
  return writer.Take();
}

// Entries of InferOutputTensor.parameters for a result in shared memory.
void AppendRegion(const RegionPart& part, size_t size_bytes, Writer* tensor) {
  const auto append = [&](std::string_view key, const std::string& value) {
    Writer entry;
    entry.Text(1, key);
    entry.Bytes(2, value);
    tensor->Bytes(4, entry.text());
  };
  // A choice of a oneof is written even if it has its default value.
  const auto number = [](uint64_t value) {
    Writer choice;
    choice.Varint(2 << 3);
    choice.Varint(value);
    return choice.Take();
  };
  Writer region;
  region.Bytes(3, part.region);
  append("shared_memory_region", region.text());
  append("shared_memory_byte_size", number(size_bytes));
  if (part.offset > 0) append("shared_memory_offset", number(part.offset));
}

// ModelInferResponse, and the number of its bytes.
StatusOr<SentMessage> InferResponse(const FoundModel& model, std::string_view id,
                                    InferResult result, const RegionUse& regions,
                                    size_t* size_bytes) {
  Writer head;
  head.Text(1, model.name);
  head.Text(2, model.version);
  head.Text(3, id);
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const InferTensor& output = result.outputs[i];
    const Datatype* type = FindDatatype(output.tensor.dtype());
    if (!type) {
      return InternalError(StrCat("the result '", output.name, "' is ",
                                  output.tensor.metadata().ToString(),
                                  ", which the protocol lacks"));
    }
    Writer tensor;
    tensor.Text(1, output.name);
    tensor.Text(2, type->name);
    const ShapeDims dims = output.tensor.shape().dims();
    if (!dims.empty()) tensor.Bytes(3, Packed(dims));
    if (const RegionPart* part = regions.OutputPart(i)) {
      AppendRegion(*part, output.tensor.size_bytes(), &tensor);
    }
    head.Bytes(5, tensor.text());
  }
  // The elements lie between their headers, where the results have them.
  struct Kept {
    DenseHostTensor tensor;
    std::shared_ptr<ResultBytes> bytes;
  };
  SentMessage message;
  *size_bytes = 0;
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    InferTensor& output = result.outputs[i];
    if (regions.OutputPart(i)) {
      head.Header(6, 0);  // clients count one for each output
      continue;
    }
    head.Header(6, output.tensor.size_bytes());
    *size_bytes += head.text().size() + output.tensor.size_bytes();
    message.push_back(Own(head.Take()));
    auto owner = std::make_shared<Kept>(std::move(output.tensor), result.bytes);
    message.push_back(
        {{static_cast<const std::byte*>(owner->tensor.data()), owner->tensor.size_bytes()}, owner});
    head = Writer();
  }
  if (!head.text().empty()) {
    *size_bytes += head.text().size();
    message.push_back(Own(head.Take()));
  }
  return message;
}

std::string Duration(const DurationCount& duration) {
  Writer writer;
  writer.Number(1, duration.count);
  writer.Number(2, duration.nanoseconds);
  return writer.Take();
}

std::string Tensors(const ModelValue& value) {
  Writer writer;
  writer.Text(1, value.name);
  const Datatype* type = FindDatatype(value.dtype);
  writer.Text(2, type ? type->name : "");
  std::vector<int64_t> sizes;
  if (value.dims) {
    for (const ModelDim& dim : *value.dims) sizes.push_back(dim.size);  // -1: any
  } else {
    sizes.push_back(-1);
  }
  if (!sizes.empty()) writer.Bytes(3, Packed(sizes));
  return writer.Take();
}

}  // namespace

StatusOr<SentMessage> EncodeInferResponse(const FoundModel& model, std::string_view id,
                                          InferResult result, const RegionUse& regions) {
  size_t size_bytes;
  return InferResponse(model, id, std::move(result), regions, &size_bytes);
}

StatusOr<SentMessage> EncodeStreamResponse(const FoundModel& model, std::string_view id,
                                           InferResult result, const RegionUse& regions) {
  size_t size_bytes;
  TFRT_ASSIGN_OR_RETURN(SentMessage response,
                        InferResponse(model, id, std::move(result), regions, &size_bytes));
  Writer head;
  head.Header(2, size_bytes);
  response.insert(response.begin(), Own(head.Take()));
  return response;
}

SentMessage EncodeStreamError(std::string_view id, std::string_view error) {
  Writer response, message;
  response.Text(3, id);
  message.Text(1, error);
  message.Bytes(2, response.text());
  return Whole(message);
}

SentMessage EncodeLoaded(std::string_view model) {
  Writer message;
  message.Text(1, model);
  message.Number(2, 1);
  return Whole(message);
}

SentMessage EncodeRegions(const std::vector<RegionInfo>& regions) {
  Writer message;
  for (const RegionInfo& region : regions) {
    Writer status, entry;
    status.Text(1, region.name);
    status.Text(2, region.key);
    status.Number(3, region.offset);
    status.Number(4, region.size_bytes);
    entry.Text(1, region.name);
    entry.Bytes(2, status.text());
    message.Bytes(1, entry.text());
  }
  return Whole(message);
}

SentMessage EncodeBool(bool value) { return EncodeNumber(value ? 1 : 0); }

SentMessage EncodeNumber(uint64_t value) {
  Writer message;
  message.Number(1, value);
  return Whole(message);
}

SentMessage EncodeServerMetadata(std::string_view name, std::string_view version,
                                 const std::vector<std::string>& extensions) {
  Writer message;
  message.Text(1, name);
  message.Text(2, version);
  for (const std::string& extension : extensions) message.Bytes(3, extension);
  return Whole(message);
}

SentMessage EncodeModelMetadata(const FoundModel& model, const std::vector<std::string>& versions) {
  Writer message;
  message.Text(1, model.name);
  for (const std::string& version : versions) message.Bytes(2, version);
  message.Text(3, "tfrt_bef");
  for (const ModelValue& value : model.model->model().inputs()) message.Bytes(4, Tensors(value));
  for (const ModelValue& value : model.model->model().outputs()) message.Bytes(5, Tensors(value));
  return Whole(message);
}

SentMessage EncodeIndex(const std::vector<VersionInfo>& index, bool ready_only) {
  using State = VersionInfo::State;
  Writer message;
  for (const VersionInfo& version : index) {
    if (ready_only && version.state != State::kReady) continue;
    Writer entry;
    entry.Text(1, version.name);
    entry.Text(2, version.version);
    entry.Text(3, version.state == State::kReady     ? "READY"
                  : version.state == State::kLoading ? "LOADING"
                                                     : "UNAVAILABLE");
    entry.Text(4, version.reason);
    message.Bytes(1, entry.text());
  }
  return Whole(message);
}

SentMessage EncodeStatistics(const std::vector<FoundModel>& models) {
  Writer message;
  for (const FoundModel& model : models) {
    const ModelStatistics statistics = model.model->statistics();
    Writer requests;
    requests.Bytes(1, Duration(statistics.success));
    requests.Bytes(2, Duration(statistics.failure));
    requests.Bytes(3, Duration(statistics.queue));
    requests.Bytes(4, Duration(statistics.compute_input));
    requests.Bytes(5, Duration(statistics.compute_infer));
    requests.Bytes(6, Duration(statistics.compute_output));
    requests.Bytes(7, Duration({}));  // cache_hit and cache_miss: there is no cache of answers
    requests.Bytes(8, Duration({}));
    Writer entry;
    entry.Text(1, model.name);
    entry.Text(2, model.version);
    entry.Number(3, static_cast<uint64_t>(statistics.last_inference_milliseconds));
    entry.Number(4, statistics.num_rows);
    entry.Number(5, statistics.num_runs);
    entry.Bytes(6, requests.text());
    for (const auto& [rows, runs] : statistics.runs) {
      Writer batch;
      batch.Number(1, static_cast<uint64_t>(rows));
      batch.Bytes(2, Duration(runs.compute_input));
      batch.Bytes(3, Duration(runs.compute_infer));
      batch.Bytes(4, Duration(runs.compute_output));
      entry.Bytes(7, batch.text());
    }
    Writer memory;
    memory.Text(1, "CPU");
    memory.Number(3, statistics.session_bytes);
    entry.Bytes(8, memory.text());
    message.Bytes(1, entry.text());
  }
  return Whole(message);
}

}  // namespace tfrt::serve::rpc
