#include "model_config.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

constexpr int kMaxDepth = 32;

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '+' || c == '.';
}

// A field, a list element or a message: fields have a name, scalars a text.
struct Node {
  std::string name;
  std::string text;
  bool is_message = false;
  int line = 0;
  std::vector<Node> children;  // of a message
};

// Reads the syntax, without any meaning of names.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  Status ReadFields(char end, int depth, std::vector<Node>* fields) {
    if (depth > kMaxDepth) return Error(StrCat("more than ", kMaxDepth, " messages in each other"));
    while (true) {
      SkipSpace();
      if (rest_.empty()) return end == 0 ? OkStatus() : Error(StrCat("'", end, "' is missing"));
      if (rest_.front() == end) {
        rest_.remove_prefix(1);
        return OkStatus();
      }
      TFRT_RETURN_IF_ERROR(ReadField(depth, fields));
      SkipSpace();
      if (!rest_.empty() && (rest_.front() == ',' || rest_.front() == ';')) rest_.remove_prefix(1);
    }
  }

 private:
  Status Error(std::string_view what) const {
    return InvalidArgumentError(StrCat("config.pbtxt:", line_, ": ", what));
  }
  void SkipSpace() {
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '#') {
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        continue;
      }
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
      if (c == '\n') ++line_;
      rest_.remove_prefix(1);
    }
  }
  bool Skip(char c) {
    SkipSpace();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  Status ReadField(int depth, std::vector<Node>* fields) {
    TFRT_ASSIGN_OR_RETURN(std::string name, ReadWord());
    const int line = line_;
    const bool has_colon = Skip(':');
    if (Skip('[')) {
      if (Skip(']')) return OkStatus();
      do {
        TFRT_RETURN_IF_ERROR(ReadValue(name, line, depth, fields));
      } while (Skip(','));
      return Skip(']') ? OkStatus() : Error(StrCat("the list of ", name, " has no end"));
    }
    SkipSpace();
    const bool is_message = rest_.starts_with('{') || rest_.starts_with('<');
    if (!has_colon && !is_message) return Error(StrCat("':' is missing after ", name));
    return ReadValue(name, line, depth, fields);
  }
  Status ReadValue(const std::string& name, int line, int depth, std::vector<Node>* fields) {
    Node node;
    node.name = name;
    node.line = line;
    const bool is_angle = Skip('<');
    if (is_angle || Skip('{')) {
      node.is_message = true;
      TFRT_RETURN_IF_ERROR(ReadFields(is_angle ? '>' : '}', depth + 1, &node.children));
    } else if (!rest_.empty() && (rest_.front() == '"' || rest_.front() == '\'')) {
      const char quote = rest_.front();
      const size_t end = rest_.find(quote, 1);
      if (end == rest_.npos) return Error("a text has no end");
      node.text = std::string(rest_.substr(1, end - 1));
      if (node.text.find_first_of("\\\n") != std::string::npos) {
        return Error("texts with '\\' or line breaks are not supported");
      }
      rest_.remove_prefix(end + 1);
    } else {
      TFRT_ASSIGN_OR_RETURN(node.text, ReadWord());
    }
    fields->push_back(std::move(node));
    return OkStatus();
  }
  StatusOr<std::string> ReadWord() {
    SkipSpace();
    size_t size = 0;
    while (size < rest_.size() && IsWordCharacter(rest_[size])) ++size;
    if (size == 0) {
      return Error(rest_.empty() ? std::string("the text ends where a word should be")
                                 : StrCat("'", rest_.front(), "' where a word should be"));
    }
    std::string word(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return word;
  }

  std::string_view rest_;
  int line_ = 1;
};

Status Error(const Node& node, std::string_view what) {
  return InvalidArgumentError(StrCat("config.pbtxt:", node.line, ": ", node.name, " ", what));
}

StatusOr<int64_t> NumberOf(const Node& node, int64_t least, int64_t most) {
  int64_t number = 0;
  const char* end = node.text.data() + node.text.size();
  auto [stop, error] = std::from_chars(node.text.data(), end, number);
  if (node.is_message || error != std::errc() || stop != end) {
    return Error(node, StrCat("is '", node.text, "', expected an integer"));
  }
  if (number < least || number > most) {
    return Error(node, StrCat("is ", number, ", expected ", least, " to ", most));
  }
  return number;
}

constexpr int64_t kMaxCount = 1 << 20;
constexpr int64_t kMaxSessions = 1024;  // of all groups together
constexpr int64_t kMaxMicroseconds = int64_t{3600} * 1000 * 1000;

// The meaning of the fields.
class Interpreter {
 public:
  Interpreter(std::string_view name, ModelConfig* config) : name_(name), config_(config) {}

  Status Model(std::span<const Node> fields) {
    bool has_dynamic_batching = false;
    for (const Node& field : fields) {
      if (field.name == "name") {
        if (field.text != name_ && !field.text.empty()) {
          return Error(field, StrCat("is '", field.text, "', but the folder is '", name_, "'"));
        }
      } else if (field.name == "max_batch_size") {
        TFRT_ASSIGN_OR_RETURN(config_->max_batch_size, NumberOf(field, 0, kMaxCount));
      } else if (field.name == "dynamic_batching") {
        has_dynamic_batching = true;
        TFRT_RETURN_IF_ERROR(Batching(field));
      } else if (field.name == "instance_group") {
        TFRT_RETURN_IF_ERROR(Instances(field));
      } else if (field.name == "version_policy") {
        TFRT_RETURN_IF_ERROR(Versions(field));
      } else if (field.name != "platform" && field.name != "backend" && field.name != "input" &&
                 field.name != "output" && field.name != "default_model_filename") {
        return Error(field, "is not supported");
      }
    }
    if (has_dynamic_batching && config_->max_batch_size == 0) {
      return InvalidArgumentError("config.pbtxt: dynamic_batching needs max_batch_size above 0");
    }
    return OkStatus();
  }

 private:
  Status Batching(const Node& batching) {
    for (const Node& field : batching.children) {
      if (field.name == "max_queue_delay_microseconds") {
        TFRT_ASSIGN_OR_RETURN(int64_t delay, NumberOf(field, 0, kMaxMicroseconds));
        config_->max_queue_delay = std::chrono::microseconds(delay);
      } else if (field.name == "default_queue_policy") {
        TFRT_RETURN_IF_ERROR(QueuePolicy(field));
      } else {
        return Error(field, "is not supported");
      }
    }
    return OkStatus();
  }
  Status QueuePolicy(const Node& policy) {
    for (const Node& field : policy.children) {
      if (field.name == "max_queue_size") {
        TFRT_ASSIGN_OR_RETURN(config_->max_queue_size, NumberOf(field, 1, kMaxCount));
      } else if (field.name == "default_timeout_microseconds") {
        TFRT_ASSIGN_OR_RETURN(int64_t timeout, NumberOf(field, 0, kMaxMicroseconds));
        config_->default_timeout = std::chrono::microseconds(timeout);
      } else {
        return Error(field, "is not supported");
      }
    }
    return OkStatus();
  }
  Status Instances(const Node& group) {
    for (const Node& field : group.children) {
      if (field.name == "count") {
        TFRT_ASSIGN_OR_RETURN(int64_t count, NumberOf(field, 1, kMaxSessions));
        config_->num_sessions = config_->num_sessions.value_or(0) + count;
        if (*config_->num_sessions > kMaxSessions) {
          return Error(field, StrCat("makes ", *config_->num_sessions, " sessions, at most ",
                                     kMaxSessions, " are possible"));
        }
      } else if (field.name == "kind") {
        if (field.text != "KIND_CPU" && field.text != "KIND_AUTO") {
          return Error(field, StrCat("is ", field.text, ", expected KIND_CPU or KIND_AUTO"));
        }
      } else if (field.name != "name") {
        return Error(field, "is not supported");
      }
    }
    return OkStatus();
  }
  Status Versions(const Node& policy) {
    if (policy.children.size() != 1) return Error(policy, "needs one of latest, all and specific");
    const Node& choice = policy.children[0];
    if (choice.name == "all") {
      config_->all_versions = true;
    } else if (choice.name == "latest") {
      for (const Node& field : choice.children) {
        if (field.name != "num_versions") return Error(field, "is not supported");
        TFRT_ASSIGN_OR_RETURN(config_->num_latest, NumberOf(field, 1, kMaxCount));
      }
    } else if (choice.name == "specific") {
      for (const Node& field : choice.children) {
        if (field.name != "versions") return Error(field, "is not supported");
        TFRT_ASSIGN_OR_RETURN(int64_t version, NumberOf(field, 0, INT64_MAX));
        config_->versions.push_back(version);
      }
      if (config_->versions.empty()) return Error(choice, "names no versions");
    } else {
      return Error(choice, "is not supported");
    }
    return OkStatus();
  }

  std::string_view name_;
  ModelConfig* config_;
};

}  // namespace

StatusOr<ModelConfig> ParseModelConfig(std::string_view text, std::string_view name) {
  // Each field of two bytes would become a node of a hundred.
  constexpr size_t kMaxBytes = size_t{1} << 20;
  if (text.size() > kMaxBytes) {
    return InvalidArgumentError(
        StrCat("config.pbtxt has ", text.size(), " bytes, but may have ", kMaxBytes));
  }
  std::vector<Node> fields;
  TFRT_RETURN_IF_ERROR(Reader(text).ReadFields(0, 0, &fields));
  ModelConfig config;
  TFRT_RETURN_IF_ERROR(Interpreter(name, &config).Model(fields));
  return config;
}

}  // namespace tfrt::serve
