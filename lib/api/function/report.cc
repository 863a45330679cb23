// Reports the cost of traces, why they were made, and how to have fewer.

#include <algorithm>
#include <utility>

#include "function_impl.h"
#include "lib/base/support/api_names.h"
#include "lib/base/support/call_guarded.h"
#include "lib/base/support/decimal_text.h"
#include "lib/base/support/logging.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {
namespace {

using Kind = Argument::Kind;

// So many traces among so many calls are worth a warning, so often.
constexpr size_t kManyTraces = 5;
constexpr uint64_t kFewCalls = 10;
constexpr uint32_t kMaxWarnings = 2;
// So many values of a plain number.
constexpr size_t kManyValues = 3;

std::string Milliseconds(uint64_t nanoseconds) {
  const double milliseconds = static_cast<double>(nanoseconds) / 1e6;
  return StrCat(DecimalText(milliseconds, std::chars_format::fixed, 1), " ms");
}

struct Difference {
  std::string reason;
  std::string fix;
};

Difference DifferenceOf(const ArgumentType& now, const ArgumentType& before,
                        const std::string& name) {
  const std::string both =
      StrCat("argument ", name, " is ", now.ToString(), ", it was ", before.ToString());
  if (now.kind != before.kind) return {both, "pass the same kind of argument"};
  switch (now.kind) {
    case Kind::kTensor:
    case Kind::kSpec:
      if (now.dtype != before.dtype) return {both, StrCat("cast it to one element type")};
      return {both, StrCat("say in input_signature, with ", api_names.unknown_size,
                           ", which sizes differ, or set reduce_retracing")};
    case Kind::kStatic:
      return {StrCat("argument ", name, " is the host value ", now.ToString(), ", it was ",
                     before.ToString()),
              std::string(api_names.pass_a_tensor)};
    case Kind::kVariable:
      if (now.alias == before.alias && now.id == before.id) {
        return {both, "use variables of one type and shape"};
      }
      return {StrCat("argument ", name,
                     " is the same variable as another one, or as one that is captured, or was"),
              "pass each variable once"};
    case Kind::kList:
      return {both, "pass lists of one length, or one tensor of all"};
  }
  return {both, ""};
}

}  // namespace

void FunctionImpl::Warn(std::string_view warning) const {
  if (options_.on_warning) return CallNoexcept([&] { options_.on_warning(warning); });
  TFRT_LOG(WARNING) << warning;
}

FunctionImpl::Miss FunctionImpl::Explain(const CallType& type) const {
  Miss miss;
  if (cache_.programs().empty()) {
    miss.reason = has_traced_ ? "there is no program: all are gone" : "the first call";
    return miss;
  }
  // The program that is most alike: the latest of those.
  const CallType* nearest = nullptr;
  size_t fewest = 0;
  for (const RCReference<Program>& program : cache_.programs()) {
    const CallType& other = program->type();
    size_t differences = 1000 * (other.context != type.context) +
                         100 * (other.device != type.device) +
                         10 * (other.arguments.size() != type.arguments.size());
    for (size_t i = 0; i < std::min(type.arguments.size(), other.arguments.size()); ++i) {
      differences += !other.arguments[i].Admits(type.arguments[i]);
    }
    if (!nearest || differences <= fewest) {
      nearest = &other;
      fewest = differences;
    }
  }
  if (nearest->context != type.context) {
    return {"it is called in another context", "call it in one context"};
  }
  if (nearest->device != type.device) {
    auto name = [](const CallType& each) {
      return each.device_name.empty() ? std::string("no device") : each.device_name;
    };
    return {StrCat("the scope names ", name(type), ", it was ", name(*nearest)),
            "call it in scopes of one device"};
  }
  if (nearest->arguments.size() != type.arguments.size()) {
    return {StrCat("there are ", type.arguments.size(), " arguments, there were ",
                   nearest->arguments.size()),
            "pass lists of one length, or one tensor of all"};
  }
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    if (nearest->arguments[i].Admits(type.arguments[i])) continue;
    Difference difference = DifferenceOf(type.arguments[i], nearest->arguments[i],
                                         ArgumentName(options_.argument_names, i));
    return {std::move(difference.reason), std::move(difference.fix)};
  }
  return miss;
}

Status FunctionImpl::MakeRoom(const Miss& miss, bool* run_eagerly) {
  if (cache_.programs().size() < std::max<size_t>(1, options_.max_traces)) return OkStatus();
  const std::string full =
      StrCat("the function '", name_, "' has ", cache_.programs().size(),
             " traces, as many as max_traces allows, and needs another one: ", miss.reason,
             miss.fix.empty() ? "" : StrCat("; ", miss.fix));
  switch (options_.when_full) {
    case WhenFull::kError:
      return ResourceExhaustedError(full);
    case WhenFull::kRunEagerly:
      if (!std::exchange(warned_full_, true)) Warn(StrCat(full, "; such calls run eagerly"));
      *run_eagerly = true;
      return OkStatus();
    case WhenFull::kEvict: {
      RCReference<Program> oldest = cache_.TakeOldest();
      ++statistics_.evictions;
      Warn(StrCat(full, "; ", oldest->Signature(), " is dropped"));
      return OkStatus();
    }
  }
  return OkStatus();
}

void FunctionImpl::NoteTrace(const CallType& type, Miss miss) {
  const uint64_t call = calls_.load(std::memory_order_relaxed);
  recent_traces_.push_back(call);
  while (!recent_traces_.empty() && recent_traces_.front() + kFewCalls <= call) {
    recent_traces_.pop_front();
  }
  plain_values_.resize(std::max(plain_values_.size(), type.arguments.size()));
  for (size_t i = 0; i < type.arguments.size(); ++i) {
    const ArgumentType& argument = type.arguments[i];
    if (argument.kind != Kind::kStatic || !argument.is_plain) continue;
    std::vector<std::string>& values = plain_values_[i];
    const std::string value = argument.ToString();
    if (std::ranges::find(values, value) != values.end()) continue;
    values.push_back(value);
    if (values.size() != kManyValues) continue;
    Warn(StrCat("the function '", name_, "' has been traced for ", kManyValues,
                " values of argument ", ArgumentName(options_.argument_names, i),
                ", which is a host value: ", api_names.pass_a_tensor,
                api_names.pass_a_fixed_argument));
  }
  if (recent_traces_.size() >= kManyTraces && num_warnings_ < kMaxWarnings) {
    ++num_warnings_;
    Warn(StrCat("the function '", name_, "' was traced ", recent_traces_.size(),
                " times in its last ", kFewCalls, " calls, which took ",
                Milliseconds(statistics_.trace_ns + statistics_.compile_ns), "; the last time, ",
                Milliseconds(miss.trace_ns + miss.compile_ns), ", because ", miss.reason,
                miss.fix.empty() ? "" : StrCat("; to avoid it, ", miss.fix)));
  }
  last_miss_ = std::move(miss);
}

std::string FunctionImpl::Report() const {
  const FunctionStatistics all = statistics();
  std::lock_guard lock(mutex_);
  std::string text =
      StrCat("function ", name_, where_ ? StrCat(" (", where_.Decode().ToString(), ")") : "", ": ",
             all.calls, " calls, ", all.eager_calls, " run eagerly; ", all.traces, " traces in ",
             Milliseconds(all.trace_ns), ", compiled in ", Milliseconds(all.compile_ns), "; ",
             all.programs, " programs of ", all.program_bytes, " bytes, ", all.evictions,
             " dropped, ", all.disk_hits, " found on disk\n");
  for (const RCReference<Program>& program : cache_.programs()) {
    const ProgramParts& parts = program->parts();
    text += StrCat("  ", program->Signature(), ": ", program->num_calls(), " calls, ",
                   program->bef().size(), " bytes, traced in ", Milliseconds(parts.trace_ns), ", ",
                   parts.is_from_disk ? "found on disk in " : "compiled in ",
                   Milliseconds(parts.compile_ns), "\n");
    for (const Capture& capture : parts.captures) {
      text +=
          StrCat("    captured ", capture.type,
                 capture.kind == Capture::Kind::kVariable ? ", a variable" : "",
                 capture.where ? StrCat(" (", capture.where.Decode().ToString(), ")") : "", "\n");
    }
    for (const PassCounts& pass : parts.compiled.passes) {
      text += StrCat("    ", pass.pass, ": ", pass.ops_before, " ops, then ", pass.ops_after, ", ",
                     Milliseconds(pass.nanoseconds), "\n");
    }
  }
  if (last_miss_) {
    text += StrCat("  last trace: ", last_miss_->reason, "; it took ",
                   Milliseconds(last_miss_->trace_ns + last_miss_->compile_ns), "\n");
    if (!last_miss_->fix.empty()) text += StrCat("  to avoid it: ", last_miss_->fix, "\n");
  }
  return text;
}

}  // namespace tfrt::function
