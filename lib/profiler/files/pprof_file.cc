// profile.proto, written and read.
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/profiler/message_fields.h"
#include "lib/profiler/pprof.h"
#include "packed_file.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::profiler {
namespace {

using protozero::pbf_writer;

constexpr size_t kMaxPprofBytes = size_t{1} << 30;
// Paths that share locations are written once and stand for as many functions as they have: a small
// file could ask for much memory.
constexpr size_t kMaxPathFunctions = size_t{1} << 27;

// Numbers of fields, by message.
enum PprofField : uint32_t {
  kSampleType = 1,
  kSample = 2,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kPeriodType = 11,
  kPeriod = 12,
  kComment = 13,
  kDefaultSampleType = 14,
};
enum ValueTypeField : uint32_t { kType = 1, kUnit = 2 };
enum SampleField : uint32_t { kLocationId = 1, kSampleValue = 2, kLabel = 3 };
enum LabelField : uint32_t { kKey = 1, kText = 2, kNumber = 3, kNumberUnit = 4 };
enum LocationField : uint32_t { kId = 1, kAddress = 3, kLine = 4 };
enum LineField : uint32_t { kFunctionId = 1 };
enum FunctionField : uint32_t { kName = 2, kSystemName = 3, kFileName = 4 };

// The table of texts, of which the first is empty.
class Texts {
 public:
  Texts() { NumberOf(""); }
  int64_t NumberOf(std::string_view text) {
    auto [found, is_new] =
        numbers_.try_emplace(std::string(text), static_cast<int64_t>(texts_.size()));
    if (is_new) texts_.push_back(&found->first);
    return found->second;
  }
  const std::vector<const std::string*>& texts() const { return texts_; }

 private:
  std::map<std::string, int64_t, std::less<>> numbers_;
  std::vector<const std::string*> texts_;
};

// Zero is what is not written.
void AddNumber(pbf_writer& message, uint32_t field, int64_t value) {
  if (value != 0) message.add_int64(field, value);
}

void WriteValueType(pbf_writer& parent, uint32_t field, const Pprof::ValueType& type,
                    Texts& texts) {
  pbf_writer message(parent, field);
  AddNumber(message, kType, texts.NumberOf(type.type));
  AddNumber(message, kUnit, texts.NumberOf(type.unit));
}

void WriteSample(pbf_writer& parent, const Pprof::Sample& sample, Texts& texts) {
  pbf_writer message(parent, kSample);
  std::vector<uint64_t> locations;
  for (uint32_t function : sample.path) locations.push_back(uint64_t{function} + 1);
  message.add_packed_uint64(kLocationId, locations.begin(), locations.end());
  message.add_packed_int64(kSampleValue, sample.values.begin(), sample.values.end());
  for (const Pprof::Label& label : sample.labels) {
    pbf_writer inner(message, kLabel);
    AddNumber(inner, kKey, texts.NumberOf(label.key));
    AddNumber(inner, kText, texts.NumberOf(label.text));
    AddNumber(inner, kNumber, label.number);
    AddNumber(inner, kNumberUnit, texts.NumberOf(label.unit));
  }
}

// One location for each function, with the same id.
void WriteFunctions(pbf_writer& parent, const Pprof& pprof, Texts& texts) {
  for (size_t i = 0; i < pprof.functions.size(); ++i) {
    const Pprof::Function& function = pprof.functions[i];
    {
      pbf_writer message(parent, kFunction);
      message.add_uint64(kId, i + 1);
      AddNumber(message, kName, texts.NumberOf(function.name));
      AddNumber(message, kSystemName, texts.NumberOf(function.system_name));
      AddNumber(message, kFileName, texts.NumberOf(function.file));
    }
    pbf_writer message(parent, kLocation);
    message.add_uint64(kId, i + 1);
    pbf_writer line(message, kLine);
    line.add_uint64(kFunctionId, i + 1);
  }
}

class PprofParser {
 public:
  // Throws protozero::exception.
  Status Parse(std::string_view bytes) {
    // Texts, functions and locations may come behind those who speak of them.
    std::vector<std::string_view> functions, locations, samples;
    auto add_to = [](std::vector<std::string_view>& views) {
      return [&](std::string_view view) { views.push_back(view); };
    };
    ReadMessage(bytes, Bytes(kStringTable, add_to(texts_)), Bytes(kFunction, add_to(functions)),
                Bytes(kLocation, add_to(locations)), Bytes(kSample, add_to(samples)));
    for (std::string_view function : functions) ReadFunction(function);
    for (std::string_view location : locations) TFRT_RETURN_IF_ERROR(ReadLocation(location));
    for (std::string_view sample : samples) TFRT_RETURN_IF_ERROR(ReadSample(sample));
    std::vector<int64_t> comments;
    auto add_type = [&](std::string_view type) { pprof_.types.push_back(ReadValueType(type)); };
    auto set_period = [&](std::string_view type) { pprof_.period_type = ReadValueType(type); };
    ReadMessage(bytes, Bytes(kSampleType, add_type), Bytes(kPeriodType, set_period),
                Varint(kTimeNanos, &pprof_.time_ns), Varint(kDurationNanos, &pprof_.duration_ns),
                Varint(kPeriod, &pprof_.period), Varints(kComment, &comments));
    for (int64_t comment : comments) pprof_.comments.push_back(TextOf(comment));
    return Check();
  }
  Pprof& pprof() { return pprof_; }

 private:
  std::string TextOf(int64_t number) {
    if (number < 0 || static_cast<uint64_t>(number) >= texts_.size()) {
      bad_text_ = number;
      return {};
    }
    return std::string(texts_[static_cast<size_t>(number)]);
  }
  // Takes the number of a text.
  auto TextTo(std::string* out) {
    return [=, this](uint64_t number) { *out = TextOf(static_cast<int64_t>(number)); };
  }

  Pprof::ValueType ReadValueType(std::string_view bytes) {
    Pprof::ValueType type;
    ReadMessage(bytes, Varint(kType, TextTo(&type.type)), Varint(kUnit, TextTo(&type.unit)));
    return type;
  }

  void ReadFunction(std::string_view bytes) {
    uint64_t id = 0;
    Pprof::Function function;
    ReadMessage(bytes, Varint(kId, &id), Varint(kName, TextTo(&function.name)),
                Varint(kSystemName, TextTo(&function.system_name)),
                Varint(kFileName, TextTo(&function.file)));
    function_numbers_.insert_or_assign(id, Intern(std::move(function)));
  }

  uint32_t Intern(Pprof::Function function) {
    auto [found, is_new] = known_.try_emplace(function, static_cast<uint32_t>(known_.size()));
    if (is_new) pprof_.functions.push_back(std::move(function));
    return found->second;
  }

  // Includes inlined functions: a location has a line for each, the innermost first.
  Status ReadLocation(std::string_view bytes) {
    uint64_t id = 0, address = 0;
    std::vector<uint64_t> ids;
    auto add_line = [&](std::string_view line) {
      ReadMessage(line, Varint(kFunctionId, [&](uint64_t function) { ids.push_back(function); }));
    };
    ReadMessage(bytes, Varint(kId, &id), Varint(kAddress, &address), Bytes(kLine, add_line));
    std::vector<uint32_t> functions;
    for (uint64_t function : ids) {
      auto found = function_numbers_.find(function);
      if (found == function_numbers_.end()) {
        return InvalidArgumentError(
            StrCat("location ", id, " is in function ", function, ", which is not there"));
      }
      functions.push_back(found->second);
    }
    if (functions.empty()) functions.push_back(Intern({.name = AddressName(address)}));
    location_functions_.insert_or_assign(id, std::move(functions));
    return OkStatus();
  }

  static std::string AddressName(uint64_t address) {
    char digits[16];
    const auto result = std::to_chars(digits, digits + sizeof(digits), address, 16);
    return "0x" + std::string(digits, result.ptr);
  }

  Status ReadSample(std::string_view bytes) {
    Pprof::Sample sample;
    std::vector<uint64_t> locations;
    auto add_label = [&](std::string_view label) { sample.labels.push_back(ReadLabel(label)); };
    ReadMessage(bytes, Varints(kLocationId, &locations), Varints(kSampleValue, &sample.values),
                Bytes(kLabel, add_label));
    for (uint64_t location : locations) {
      auto found = location_functions_.find(location);
      if (found == location_functions_.end()) {
        return InvalidArgumentError(
            StrCat("a sample is in location ", location, ", which is not there"));
      }
      num_path_functions_ += found->second.size();
      if (num_path_functions_ > kMaxPathFunctions) {
        return ResourceExhaustedError("the call paths are too long to be unfolded");
      }
      sample.path.insert(sample.path.end(), found->second.begin(), found->second.end());
    }
    pprof_.samples.push_back(std::move(sample));
    return OkStatus();
  }

  Pprof::Label ReadLabel(std::string_view bytes) {
    Pprof::Label label;
    ReadMessage(bytes, Varint(kKey, TextTo(&label.key)), Varint(kText, TextTo(&label.text)),
                Varint(kNumber, &label.number), Varint(kNumberUnit, TextTo(&label.unit)));
    return label;
  }

  Status Check() const {
    if (texts_.empty() || !texts_[0].empty() || pprof_.types.empty()) {
      return InvalidArgumentError("no pprof: it has no table of texts or no types of values");
    }
    if (bad_text_) {
      return InvalidArgumentError(
          StrCat("text ", *bad_text_, " is not among the ", texts_.size(), " of the table"));
    }
    for (const Pprof::Sample& sample : pprof_.samples) {
      if (sample.values.size() != pprof_.types.size()) {
        return InvalidArgumentError(StrCat("a sample has ", sample.values.size(),
                                           " values, the pprof has ", pprof_.types.size(),
                                           " types of values"));
      }
    }
    return OkStatus();
  }

  Pprof pprof_;
  std::vector<std::string_view> texts_;
  std::map<Pprof::Function, uint32_t> known_;
  std::unordered_map<uint64_t, uint32_t> function_numbers_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> location_functions_;
  size_t num_path_functions_ = 0;
  std::optional<int64_t> bad_text_;
};

}  // namespace

std::string EncodePprof(const Pprof& pprof) {
  std::string bytes;
  pbf_writer writer(bytes);
  Texts texts;
  for (const Pprof::ValueType& type : pprof.types) {
    WriteValueType(writer, kSampleType, type, texts);
  }
  for (const Pprof::Sample& sample : pprof.samples) WriteSample(writer, sample, texts);
  WriteFunctions(writer, pprof, texts);
  AddNumber(writer, kTimeNanos, pprof.time_ns);
  AddNumber(writer, kDurationNanos, pprof.duration_ns);
  if (pprof.period_type != Pprof::ValueType()) {
    WriteValueType(writer, kPeriodType, pprof.period_type, texts);
  }
  AddNumber(writer, kPeriod, pprof.period);
  std::vector<int64_t> comments;
  for (const std::string& comment : pprof.comments) comments.push_back(texts.NumberOf(comment));
  if (!comments.empty()) writer.add_packed_int64(kComment, comments.begin(), comments.end());
  if (!pprof.types.empty()) {
    AddNumber(writer, kDefaultSampleType, texts.NumberOf(pprof.types.back().type));
  }
  for (const std::string* text : texts.texts()) writer.add_string(kStringTable, *text);
  return bytes;
}

Status WritePprof(const Pprof& pprof, const std::string& path) {
  return WriteFile(path, [&](const ByteSink& sink) {
    const std::string bytes = GzipOf(EncodePprof(pprof));
    return sink(bytes.data(), bytes.size()) ? OkStatus()
                                            : InternalError(StrCat("cannot write '", path, "'"));
  });
}

StatusOr<Pprof> ParsePprof(std::string_view bytes) {
  PprofParser parser;
  try {
    TFRT_RETURN_IF_ERROR(parser.Parse(bytes));
  } catch (const protozero::exception& error) {
    return InvalidArgumentError(StrCat("no pprof: ", error.what()));
  }
  return std::move(parser.pprof());
}

StatusOr<Pprof> ReadPprof(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(std::string bytes, ReadPackedFile(path, kMaxPprofBytes));
  StatusOr<Pprof> pprof = ParsePprof(bytes);
  if (!pprof.ok()) {
    return Status(pprof.status().code(), StrCat(path, ": ", pprof.status().message()));
  }
  return pprof;
}

bool LooksLikePprof(std::string_view first_bytes) {
  const std::string unpacked = FirstUnpacked(first_bytes);
  // A type of values, which is two small numbers: field 1, then fields 1 and 2 in it.
  std::string_view rest = unpacked;
  if (rest.size() < 2 || rest[0] != (kSampleType << 3 | 2)) return false;
  const size_t size = static_cast<unsigned char>(rest[1]);
  rest.remove_prefix(2);
  if (size == 0 || size > 12 || rest.size() < size) return false;
  return rest[0] == (kType << 3) || rest[0] == (kUnit << 3);
}

}  // namespace tfrt::profiler
