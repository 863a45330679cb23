// Finds out whose profile a JSON file is.
#include <memory>
#include <string>
#include <string_view>

#include "json_events.h"
#include "json_profile.h"
#include "json_readers.h"
#include "json_tree.h"
#include "packed_file.h"
#include "tfrt/profiler/profile_properties.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// Hands a file's contents to the reader that its beginning asks for.
class AnyReader final : public JsonEventHandler {
 public:
  explicit AnyReader(ProfileConsumer& consumer) : consumer_(consumer) {}

  void OnMember(const JsonRef& value) override {
    if (reader_) return reader_->OnMember(value);
    const std::string_view key = value.key();
    if (key == kChromeJsonMark) {
      is_own_ = true;
      if (value.Integer() > kChromeJsonVersion) {
        consumer_.AddProblem({.kind = Problem::Kind::kUnknown,
                              .text = StrCat("the file is of version ", value.Integer(),
                                             ", what is read is version ", kChromeJsonVersion,
                                             ": what is new in it is not read")});
      }
    }
    for (std::string_view mark : {"schemaVersion", "deviceProperties", "trace_id",
                                  "baseTimeNanoseconds", "record_shapes", "with_stack"}) {
      if (key == mark) is_pytorch_ = true;
    }
    if (key == "metadata" && value.Find("highres-ticks").exists()) is_tensorflow_ = true;
  }

  void OnEvent(const JsonRef& event) override {
    if (!reader_) reader_ = Choose(event);
    reader_->OnEvent(event);
  }

  bool is_known() const { return reader_ || is_own_ || is_pytorch_ || is_tensorflow_; }
  void Finish() {
    if (reader_) reader_->Finish();
  }

 private:
  std::unique_ptr<JsonReader> Choose(const JsonRef& event) {
    if (is_own_) return MakeOwnJsonReader(consumer_);
    if (is_pytorch_) return MakePyTorchReader(consumer_);
    if (is_tensorflow_) return MakeTensorFlowReader(consumer_);
    const std::string_view category = event.Find("cat").Text();
    if (category == "Session" || (category == "Node" && event.Find("args").exists())) {
      return MakeOnnxRuntimeReader(consumer_);
    }
    return MakeAnyChromeReader(consumer_);
  }

  ProfileConsumer& consumer_;
  std::unique_ptr<JsonReader> reader_;
  bool is_own_ = false, is_pytorch_ = false, is_tensorflow_ = false;
};

}  // namespace

bool LooksLikeJsonProfile(std::string_view first_bytes) {
  const std::string text = FirstUnpacked(first_bytes);
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // a byte order mark
  auto skip_blanks = [&] {
    const size_t begin = rest.find_first_not_of(" \t\r\n");
    rest.remove_prefix(begin == std::string_view::npos ? rest.size() : begin);
  };
  skip_blanks();
  if (rest.empty() || (rest[0] != '{' && rest[0] != '[')) return false;
  const bool is_array = rest[0] == '[';
  rest.remove_prefix(1);
  skip_blanks();
  // Nothing else can follow; enough to tell it from other text.
  return rest.empty() || rest[0] == (is_array ? '{' : '"') || rest[0] == (is_array ? ']' : '}');
}

Status ReadJsonProfile(const std::string& path, ProfileConsumer& consumer) {
  AnyReader reader(consumer);
  TFRT_ASSIGN_OR_RETURN(JsonParse parse, ParseJsonEvents(path, reader));
  if (!parse.has_events && !reader.is_known()) {
    return InvalidArgumentError(
        StrCat(path, ": no profile: neither an array of events nor an object with \"traceEvents\"",
               parse.problem ? StrCat(" (", parse.problem->text, ")") : std::string()));
  }
  reader.Finish();
  if (parse.num_too_large > 0) {
    consumer.AddProblem(
        {.kind = Problem::Kind::kUnreadable,
         .count = parse.num_too_large,
         .text = StrCat(parse.num_too_large, " events are too large and left out")});
  }
  if (parse.problem) consumer.AddProblem(*parse.problem);
  return consumer.Finish();
}

}  // namespace tfrt::profiler
