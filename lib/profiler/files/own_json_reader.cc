// Reads the files of CreateChromeJsonWriter.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "json_readers.h"
#include "json_text.h"
#include "json_tree.h"
#include "lib/profiler/kind_names.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

class OwnJsonReader final : public JsonReader {
 public:
  explicit OwnJsonReader(ProfileConsumer& consumer) : consumer_(consumer) {}

  void OnMember(const JsonRef&) override {}

  void OnEvent(const JsonRef& event) override {
    const std::string_view phase = event.Find("ph").Text();
    bool is_good = true;
    if (phase == "M") {
      is_good = Metadata(event.Find("name").Text(), event.Find("args"));
    } else if (phase == "X" || phase == "i") {
      is_good = Event(event);
    }  // else arrows, and what a tool may have added
    if (!is_good) ++num_malformed_;
  }

  void Finish() override {
    if (num_malformed_ == 0) return;
    consumer_.AddProblem(
        {.kind = Problem::Kind::kUnreadable,
         .count = num_malformed_,
         .text = StrCat(num_malformed_, " events are not as this version writes them")});
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  bool Metadata(std::string_view name, const JsonRef& args) {
    if (name == "tfrt_property") {
      consumer_.AddProperty(DecodeJsonText(args.Find("key").Text()),
                            DecodeJsonText(args.Find("value").Text()));
      return true;
    }
    if (name == "tfrt_problem") return AddProblem(args);
    if (name == "tfrt_type") return AddType(args);
    if (name == "tfrt_track") return AddTrack(args);
    if (name == "tfrt_ready") {
      consumer_.AddReady(args.Find("id").Unsigned(), args.Find("ready_ns").Integer());
      return true;
    }
    return true;  // names of rows
  }

  bool AddProblem(const JsonRef& args) {
    Problem problem;
    if (!ParseName(args.Find("kind").Text(), &problem.kind)) return false;
    problem.count = args.Find("count").Unsigned();
    problem.text = DecodeJsonText(args.Find("text").Text());
    consumer_.AddProblem(problem);
    return true;
  }

  bool AddType(const JsonRef& args) {
    EventType type;
    type.name = DecodeJsonText(args.Find("name").Text());
    bool is_good = ParseName(args.Find("level").Text(), &type.level) &&
                   ParseName(args.Find("kind").Text(), &type.kind);
    type.is_op = args.Find("is_op").Boolean();
    for (JsonRef item = args.Find("arguments").First(); item.exists(); item = item.Next()) {
      EventType::Argument& argument = type.arguments.emplace_back();
      argument.name = DecodeJsonText(item.Find("name").Text());
      is_good = is_good && ParseName(item.Find("type").Text(), &argument.type);
    }
    is_good = is_good && type.arguments.size() <= kMaxEventArguments;
    // Those that cannot be keep their number, and none of their events is read.
    types_.push_back(is_good ? num_types_++ : kNone);
    arguments_.push_back(type.arguments);
    if (is_good) consumer_.AddType(type);
    return is_good;
  }

  bool AddTrack(const JsonRef& args) {
    Track track;
    if (!ParseName(args.Find("kind").Text(), &track.kind)) return false;
    track.name = DecodeJsonText(args.Find("name").Text());
    track.process_id = args.Find("process").Integer();
    track.number = args.Find("number").Integer();
    consumer_.AddTrack(track);
    ++num_tracks_;
    return true;
  }

  StringId StringOf(std::string_view text) {
    auto [found, is_new] =
        strings_.try_emplace(DecodeJsonText(text), static_cast<StringId>(strings_.size()));
    if (is_new) consumer_.AddString(found->first);
    return found->second;
  }

  bool Event(const JsonRef& event) {
    const JsonRef args = event.Find("args");
    const JsonRef ids = args.First();
    if (ids.key() != "ids") return false;
    EventFields fields;
    const uint64_t type = ids.Find("type").Unsigned(kNone);
    const uint64_t track = ids.Find("track").Unsigned(kNone);
    if (type >= types_.size() || types_[type] == kNone || track >= num_tracks_) return false;
    fields.type = types_[type];
    fields.track = static_cast<TrackId>(track);
    fields.id = ids.Find("id").Unsigned();
    fields.parent_id = ids.Find("parent").Unsigned();
    fields.op_id = ids.Find("op").Unsigned();
    fields.correlation_id = ids.Find("correlation").Unsigned();
    const std::optional<int64_t> begin = event.Find("ts").Nanoseconds();
    if (!begin) return false;
    fields.begin_ns = *begin;
    const int64_t duration = event.Find("dur").Nanoseconds().value_or(0);
    fields.end_ns =
        static_cast<int64_t>(static_cast<uint64_t>(*begin) + static_cast<uint64_t>(duration));
    fields.end_ns = ids.Find("end_ns").Integer(fields.end_ns);
    if (JsonRef ready = ids.Find("ready_ns"); ready.exists()) {
      fields.ready = EventFields::Ready::kAt;
      fields.ready_ns = ready.Integer();
    } else if (ids.Find("ready").Text() == "later") {
      fields.ready = EventFields::Ready::kLater;
    }
    std::array<uint64_t, kMaxEventArguments> values;
    if (!Arguments(arguments_[type], ids.Next(), values)) return false;
    fields.name = StringOf(event.Find("name").Text());
    fields.arguments = std::span(values).first(arguments_[type].size());
    consumer_.AddEvent(fields);
    return true;
  }

  // By their order: names need not be different.
  bool Arguments(const std::vector<EventType::Argument>& specs, JsonRef value,
                 std::array<uint64_t, kMaxEventArguments>& values) {
    for (size_t i = 0; i < specs.size(); ++i, value = value.Next()) {
      if (!value.exists()) return false;
      if (specs[i].type == ArgumentType::kName) {
        if (!value.is(JsonKind::kText)) return false;
        values[i] = StringOf(value.Text());
      } else if (specs[i].type == ArgumentType::kReal) {
        double real = value.Real();
        ParseSpecialReal(value.Text(), &real);
        values[i] = std::bit_cast<uint64_t>(real);
      } else {
        values[i] = static_cast<uint64_t>(value.Integer());
      }
    }
    return true;
  }

  ProfileConsumer& consumer_;
  std::vector<uint32_t> types_;  // the file's numbers of types to the consumer's; kNone: unusable
  std::vector<std::vector<EventType::Argument>> arguments_;  // by the file's numbers
  uint32_t num_types_ = 0;
  uint64_t num_tracks_ = 0;
  uint64_t num_malformed_ = 0;
  std::unordered_map<std::string, StringId> strings_;
};

}  // namespace

std::unique_ptr<JsonReader> MakeOwnJsonReader(ProfileConsumer& consumer) {
  return std::make_unique<OwnJsonReader>(consumer);
}

}  // namespace tfrt::profiler
