// profile.proto, written and read.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lib/profiler/pprof.h"
#include "packed_file.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/write_file.h"

namespace tfrt::profiler {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
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

// Fields of one message of a file. Those of another wire type than `Number` and `Bytes` ask for are
// passed over, as those of other numbers are.
template <typename Field>
void ForEachField(pbf_reader message, Field field) {
  while (message.next()) {
    const uint32_t tag = message.tag();  // gone once the value is read
    if (message.wire_type() == pbf_wire_type::varint) {
      field(tag, message.get_int64(), std::string_view());
    } else if (message.wire_type() == pbf_wire_type::length_delimited) {
      const protozero::data_view view = message.get_view();
      // Never null, which says that it is bytes.
      field(tag, int64_t{0}, std::string_view(view.data(), view.size()));
    } else {
      message.skip();
    }
  }
}

pbf_reader MessageOf(std::string_view bytes) {
  return pbf_reader(protozero::data_view(bytes.data(), bytes.size()));
}

// Numbers of a repeated field: one of them, or many packed.
template <typename Number>
void AppendNumbers(int64_t number, std::string_view packed, std::vector<Number>* numbers) {
  if (packed.data() == nullptr) {
    numbers->push_back(static_cast<Number>(number));
    return;
  }
  const char* at = packed.data();
  const char* const end = at + packed.size();
  while (at != end) numbers->push_back(static_cast<Number>(protozero::decode_varint(&at, end)));
}

class PprofParser {
 public:
  // Throws protozero::exception.
  Status Parse(std::string_view bytes) {
    // Texts, functions and locations may come behind those who speak of them.
    ForEachField(MessageOf(bytes), [&](uint32_t tag, int64_t number, std::string_view view) {
      if (tag == kStringTable && view.data()) texts_.push_back(view);
      if (tag == kFunction && view.data()) functions_.push_back(view);
      if (tag == kLocation && view.data()) locations_.push_back(view);
    });
    TFRT_RETURN_IF_ERROR(ReadFunctions());
    TFRT_RETURN_IF_ERROR(ReadLocations());
    Status status;
    ForEachField(MessageOf(bytes), [&](uint32_t tag, int64_t number, std::string_view view) {
      if (!status.ok()) return;
      if (tag == kSample && view.data()) {
        status = ReadSample(view);
      } else {
        ReadField(tag, number, view);
      }
    });
    TFRT_RETURN_IF_ERROR(status);
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

  Pprof::ValueType ReadValueType(std::string_view bytes) {
    Pprof::ValueType type;
    ForEachField(MessageOf(bytes), [&](uint32_t tag, int64_t number, std::string_view) {
      if (tag == kType) type.type = TextOf(number);
      if (tag == kUnit) type.unit = TextOf(number);
    });
    return type;
  }

  void ReadField(uint32_t tag, int64_t number, std::string_view view) {
    std::vector<int64_t> comments;
    if (tag == kSampleType && view.data()) pprof_.types.push_back(ReadValueType(view));
    if (tag == kPeriodType && view.data()) pprof_.period_type = ReadValueType(view);
    if (tag == kTimeNanos) pprof_.time_ns = number;
    if (tag == kDurationNanos) pprof_.duration_ns = number;
    if (tag == kPeriod) pprof_.period = number;
    if (tag == kComment) AppendNumbers(number, view, &comments);
    for (int64_t comment : comments) pprof_.comments.push_back(TextOf(comment));
  }

  Status ReadFunctions() {
    for (std::string_view bytes : functions_) {
      uint64_t id = 0;
      Pprof::Function function;
      ForEachField(MessageOf(bytes), [&](uint32_t tag, int64_t number, std::string_view) {
        if (tag == kId) id = static_cast<uint64_t>(number);
        if (tag == kName) function.name = TextOf(number);
        if (tag == kSystemName) function.system_name = TextOf(number);
        if (tag == kFileName) function.file = TextOf(number);
      });
      function_numbers_.insert_or_assign(id, Intern(std::move(function)));
    }
    return OkStatus();
  }

  uint32_t Intern(Pprof::Function function) {
    auto [found, is_new] = known_.try_emplace(function, static_cast<uint32_t>(known_.size()));
    if (is_new) pprof_.functions.push_back(std::move(function));
    return found->second;
  }

  // Includes inlined functions: a location has a line for each, the innermost first.
  Status ReadLocations() {
    for (std::string_view bytes : locations_) {
      uint64_t id = 0, address = 0;
      std::vector<uint32_t> functions;
      Status status;
      ForEachField(MessageOf(bytes), [&](uint32_t tag, int64_t number, std::string_view view) {
        if (tag == kId) id = static_cast<uint64_t>(number);
        if (tag == kAddress) address = static_cast<uint64_t>(number);
        if (tag != kLine || !view.data()) return;
        ForEachField(MessageOf(view), [&](uint32_t line_tag, int64_t function, std::string_view) {
          if (line_tag != kFunctionId) return;
          auto found = function_numbers_.find(static_cast<uint64_t>(function));
          if (found == function_numbers_.end()) {
            status = InvalidArgumentError(StrCat("location ", id, " is in function ",
                                                 static_cast<uint64_t>(function),
                                                 ", which is not there"));
          } else {
            functions.push_back(found->second);
          }
        });
      });
      TFRT_RETURN_IF_ERROR(status);
      if (functions.empty()) functions.push_back(Intern({.name = AddressName(address)}));
      location_functions_.insert_or_assign(id, std::move(functions));
    }
    return OkStatus();
  }

  static std::string AddressName(uint64_t address) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    do digits.insert(digits.begin(), kDigits[address & 15]);
    while ((address >>= 4) != 0);
    return "0x" + digits;
  }

  Status ReadSample(std::string_view bytes) {
    Pprof::Sample sample;
    std::vector<uint64_t> locations;
    ForEachField(MessageOf(bytes), [&](uint32_t tag, int64_t number, std::string_view view) {
      if (tag == kLocationId) AppendNumbers(number, view, &locations);
      if (tag == kSampleValue) AppendNumbers(number, view, &sample.values);
      if (tag == kLabel && view.data()) sample.labels.push_back(ReadLabel(view));
    });
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
    ForEachField(MessageOf(bytes), [&](uint32_t tag, int64_t number, std::string_view) {
      if (tag == kKey) label.key = TextOf(number);
      if (tag == kText) label.text = TextOf(number);
      if (tag == kNumber) label.number = number;
      if (tag == kNumberUnit) label.unit = TextOf(number);
    });
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
  std::vector<std::string_view> texts_, functions_, locations_;
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
