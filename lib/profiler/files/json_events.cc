#include "json_events.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "lib/profiler/source/profile_source.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// The parser keeps a number or a text as long as it is not complete.
constexpr uint64_t kMaxTokenBytes = JsonTree::kMaxTextBytes;
constexpr int kMaxDepth = 64;

// Holds the bytes that the parser reads.
struct Input {
  explicit Input(std::unique_ptr<ProfileSource> opened) : source(std::move(opened)) {}

  // False at the end.
  bool Fill() {
    if (position < size) return true;
    if (is_over || num_read - token_begin > kMaxTokenBytes) {
      is_token_too_long = !is_over;
      return false;
    }
    StatusOr<size_t> read = source->Read(buffer.data(), buffer.size());
    if (!read.ok()) status = read.status();
    size = read.ok() ? *read : 0;
    position = 0;
    num_read += size;
    is_over = size == 0;
    return !is_over;
  }
  uint64_t offset() const { return num_read - size + position; }

  const std::unique_ptr<ProfileSource> source;
  Status status;  // of reading
  std::array<char, size_t{1} << 16> buffer;
  size_t position = 0, size = 0;
  uint64_t num_read = 0;
  uint64_t token_begin = 0;
  bool is_over = false;
  bool is_token_too_long = false;
};

// An input iterator for the parser; the default one is the end.
class InputIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  InputIterator() = default;
  explicit InputIterator(Input* input) : input_(input) {}
  char operator*() const { return input_->buffer[input_->position]; }
  InputIterator& operator++() {
    ++input_->position;
    return *this;
  }
  // Compared with the end only.
  bool operator!=(const InputIterator&) const { return input_->Fill(); }
  bool operator==(const InputIterator& end) const { return !(*this != end); }

 private:
  Input* input_ = nullptr;
};

// Cuts what the parser says into events and members.
class Splitter {
 public:
  Splitter(Input& input, JsonEventHandler& handler, JsonParse& parse)
      : input_(input), handler_(handler), parse_(parse) {}

  // The parser's interface; false ends it.
  bool null() {
    return Value([](JsonTree& tree) { tree.AddNull(); });
  }
  bool boolean(bool value) {
    return Value([=](JsonTree& tree) { tree.AddBoolean(value); });
  }
  bool number_integer(int64_t value) {
    return Value([=](JsonTree& tree) { tree.AddInteger(value); });
  }
  bool number_unsigned(uint64_t value) {
    return Value([=](JsonTree& tree) { tree.AddUnsigned(value); });
  }
  bool number_float(double value, const std::string& text) {
    return Value([&](JsonTree& tree) { tree.AddReal(value, text); });
  }
  bool string(const std::string& value) {
    return Value([&](JsonTree& tree) { tree.AddText(value); });
  }
  bool binary(const nlohmann::json::binary_t&) { return false; }  // JSON has none
  bool key(const std::string& key) {
    NoteToken();
    if (depth_ == 1) {
      is_events_next_ = key == "traceEvents";
      tree_.Clear();
    }
    tree_.AddKey(key);
    return true;
  }
  bool start_object(size_t) { return Start(true); }
  bool start_array(size_t) { return Start(false); }
  bool end_object() { return End(); }
  bool end_array() { return End(); }
  bool parse_error(size_t, const std::string&, const std::exception&) {
    if (parse_.problem) return false;
    const uint64_t offset = input_.offset();
    if (input_.is_token_too_long) {
      SetProblem(Problem::Kind::kUnreadable,
                 StrCat("byte ", input_.token_begin, ": a text or number of more than ",
                        kMaxTokenBytes >> 20, " MiB; what follows is not read"));
    } else if (input_.is_over) {
      SetProblem(Problem::Kind::kTruncated,
                 StrCat("the file ends in the middle, at byte ", offset));
    } else {
      SetProblem(Problem::Kind::kUnreadable,
                 StrCat("byte ", offset, ": no JSON; what follows is not read"));
    }
    return false;
  }

 private:
  void NoteToken() { input_.token_begin = input_.offset(); }

  void SetProblem(Problem::Kind kind, std::string text) {
    parse_.problem = {.kind = kind, .text = std::move(text)};
  }

  // Where single values are: elements of the events, members of the file.
  int item_depth() const { return events_depth_ > 0 ? events_depth_ : 1; }

  template <typename AddValue>
  bool Value(AddValue add) {
    NoteToken();
    if (depth_ == 0) return true;  // a file that is one number: no profile, as its reader will say
    if (depth_ == events_depth_) tree_.Clear();
    add(tree_);
    if (depth_ == item_depth()) Item();
    return true;
  }

  bool Start(bool is_object) {
    NoteToken();
    if (++depth_ > kMaxDepth) {
      SetProblem(Problem::Kind::kUnreadable,
                 StrCat("byte ", input_.offset(), ": more than ", kMaxDepth,
                        " objects and arrays inside of each other; what follows is not read"));
      return false;
    }
    const bool is_events =
        !is_object && !parse_.has_events && (depth_ == 1 || (depth_ == 2 && is_events_next_));
    if (is_events) {
      parse_.has_events = true;
      parse_.is_array = depth_ == 1;
      events_depth_ = depth_;
      return true;
    }
    if (depth_ == 1) return true;
    if (depth_ == events_depth_ + 1) tree_.Clear();
    tree_.Begin(is_object);
    return true;
  }

  bool End() {
    NoteToken();
    --depth_;
    if (depth_ + 1 == events_depth_) {
      events_depth_ = 0;
      tree_.Clear();
      return true;
    }
    if (depth_ == 0) return true;
    tree_.End();
    if (depth_ == item_depth()) Item();
    return true;
  }

  void Item() {
    const bool is_event = events_depth_ > 0;
    if (is_event) ++parse_.num_events;
    if (!tree_.is_complete()) {
      if (is_event) ++parse_.num_too_large;
    } else if (is_event) {
      handler_.OnEvent(tree_.root());
    } else {
      handler_.OnMember(tree_.root());
    }
    tree_.Clear();
  }

  Input& input_;
  JsonEventHandler& handler_;
  JsonParse& parse_;
  JsonTree tree_;
  int depth_ = 0;
  int events_depth_ = 0;  // of the array of events, while inside of it
  bool is_events_next_ = false;
};

}  // namespace

StatusOr<JsonParse> ParseJsonEvents(const std::string& path, JsonEventHandler& handler) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<ProfileSource> source, ProfileSource::Open(path));
  auto input = std::make_unique<Input>(std::move(source));
  JsonParse parse;
  Splitter splitter(*input, handler, parse);
  try {
    nlohmann::json::sax_parse(InputIterator(input.get()), InputIterator(), &splitter);
  } catch (const std::exception& error) {
    parse.problem = {.kind = Problem::Kind::kUnreadable,
                     .text = StrCat("byte ", input->offset(), ": ", error.what())};
  }
  if (!input->status.ok()) return input->status;
  if (!input->source->damage().empty()) {
    parse.problem = {.kind = Problem::Kind::kTruncated,
                     .text = StrCat("what gzip packed ends or is broken behind byte ",
                                    input->offset(), " of the unpacked file")};
  }
  return parse;
}

}  // namespace tfrt::profiler
