#include "binder.h"

#include <algorithm>
#include <string>

#include "tfrt/bef/attribute_reader.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::internal {
namespace {

using bef::DecodedFunction;
using bef::DecodedKernel;
using bef::TypeCode;

std::string CountText(size_t count, bool or_more, std::string_view noun) {
  return StrCat(or_more ? "at least " : "", count, " ", noun, count == 1 ? "" : "s");
}

// One kernel call against its signature.
class CallChecker {
 public:
  CallChecker(const bef::BefView& view, std::string_view name, const KernelEntry& entry,
              const DecodedKernel& call, std::string_view last_operand_type)
      : view_(view),
        name_(name),
        entry_(entry),
        call_(call),
        last_operand_type_(last_operand_type) {}

  Status Check(bool in_sync_function) const {
    if (entry_.is_sync() != in_sync_function) {
      return InvalidArgumentError(
          entry_.is_sync()
              ? StrCat("kernel '", name_, "' is a sync kernel and cannot run in an async function")
              : StrCat("kernel '", name_, "' is not a sync kernel and cannot run in a sync function"));
    }
    if (!entry_.signature) return OkStatus();
    const KernelSignature& signature = *entry_.signature;
    TFRT_RETURN_IF_ERROR(CheckArguments(signature));
    TFRT_RETURN_IF_ERROR(CheckCount("result", call_.results.size(), signature.results.size(),
                                    signature.variadic_results));
    TFRT_RETURN_IF_ERROR(CheckCount("function", call_.functions.size(), signature.num_functions,
                                    signature.variadic_functions));
    TFRT_RETURN_IF_ERROR(CheckCount("attribute", call_.attributes.size(),
                                    signature.attributes.size(), signature.variadic_attributes));
    for (size_t i = 0; i < call_.attributes.size(); ++i) {
      AttributeCode code = i < signature.attributes.size() ? signature.attributes[i]
                                                           : signature.variadic_attribute_code;
      TFRT_RETURN_IF_ERROR(CheckAttribute(i, code));
    }
    return OkStatus();
  }

 private:
  Status CheckCount(std::string_view noun, size_t given, size_t wanted, bool or_more) const {
    if (given == wanted || (or_more && given > wanted)) return OkStatus();
    std::string_view verb = noun == "result" ? "has" : "takes";
    return InvalidArgumentError(StrCat("kernel '", name_, "' ", verb, " ",
                                       CountText(wanted, or_more, noun), ", but the program gives ",
                                       given));
  }

  Status CheckArguments(const KernelSignature& signature) const {
    size_t given = call_.operands.size();
    size_t wanted = signature.arguments.size();
    if (signature.allows_trailing_chain && given == wanted + 1) {
      if (last_operand_type_.empty() || last_operand_type_ == "!tfrt.chain") return OkStatus();
    }
    return CheckCount("argument", given, wanted, signature.variadic_arguments);
  }

  Status CheckAttribute(size_t index, AttributeCode wanted_code) const {
    uint32_t offset = call_.attributes[index];
    auto wanted = static_cast<TypeCode>(wanted_code);
    std::optional<TypeCode> actual = view_.FindAttributeType(offset);
    if (wanted_code == kAnyAttribute) {
      // The kernel decodes it on its own; without a stored type the bytes cannot be checked.
      if (!actual) return OkStatus();
      wanted = *actual;
    } else if (actual && *actual != wanted &&
               !(*actual == TypeCode::kEmptyArray && bef::IsArrayCode(wanted) &&
                 IsEmptyArray(offset))) {
      return InvalidArgumentError(StrCat("attribute ", index, " of kernel '", name_, "' is ",
                                         bef::TypeCodeName(*actual), ", but the kernel takes ",
                                         bef::TypeCodeName(wanted)));
    }
    if (IsEmptyArray(offset) && bef::IsArrayCode(wanted)) return OkStatus();
    StatusOr<uint32_t> end = bef::VerifyAttribute(view_.attributes(), offset, wanted);
    if (end.ok()) return OkStatus();
    return InvalidArgumentError(StrCat("attribute ", index, " of kernel '", name_, "' is no valid ",
                                       bef::TypeCodeName(wanted), ": ", end.status().message()));
  }

  bool IsEmptyArray(uint32_t offset) const {
    auto array = bef::ReadArray(view_.attributes(), offset, TypeCode::kEmptyArray);
    return array.ok() && array->count == 0;
  }

  const bef::BefView& view_;
  std::string_view name_;
  const KernelEntry& entry_;
  const DecodedKernel& call_;
  std::string_view last_operand_type_;
};

// Appends to one of the program's pools and returns where.
template <typename Pool, typename Range>
Slice Append(Pool& pool, const Range& range) {
  Slice slice{static_cast<uint32_t>(pool.size()), static_cast<uint32_t>(range.size())};
  pool.insert(pool.end(), range.begin(), range.end());
  return slice;
}

class Binder {
 public:
  Binder(const BindInput& input, uint32_t function, Program* program)
      : input_(input), function_(function), program_(*program) {}

  Status Bind(uint32_t* error_location) {
    TFRT_ASSIGN_OR_RETURN(body_, input_.view.DecodeFunction(function_));
    *error_location = body_.location();
    const bef::FunctionInfo& info = input_.view.functions()[function_];
    is_sync_ = info.kind == bef::FunctionKind::kSync;
    register_types_ = input_.view.RegisterTypes(function_);
    program_.name = info.name;
    program_.num_arguments = body_.num_arguments();
    program_.root_stream = body_.root_stream();
    program_.registers.resize(body_.num_registers());
    program_.kernels.reserve(body_.kernels().size());
    program_.order_free = true;
    for (const DecodedKernel& kernel : body_.kernels()) {
      *error_location = kernel.location;
      TFRT_RETURN_IF_ERROR(AddKernel(kernel));
    }
    MarkNonStrict();
    AddArgumentUsers();
    AddReturns();
    auto starters = body_.kernels_without_operands();
    program_.starters.assign(starters.begin(), starters.end());
    is_sync_ ? ScheduleSyncProgram(&program_) : ScheduleProgram(&program_);
    return OkStatus();
  }

 private:
  Status AddKernel(const DecodedKernel& call) {
    const KernelEntry& entry = *input_.kernels[call.kernel_id];
    std::string_view name = input_.view.kernel_names()[call.kernel_id];
    std::string_view last_operand_type;
    if (!call.operands.empty() && !register_types_.empty()) {
      last_operand_type = input_.view.type_names()[register_types_[call.operands.back()]];
    }
    TFRT_RETURN_IF_ERROR(
        CallChecker(input_.view, name, entry, call, last_operand_type).Check(is_sync_));

    ProgramKernel kernel;
    kernel.name = name;
    kernel.async_function = entry.async_function;
    kernel.sync_function = entry.sync_function;
    kernel.stream = call.stream;
    kernel.location = call.location;
    kernel.non_strict = entry.non_strict();
    kernel.arguments = Append(program_.indices, call.operands);
    kernel.results = Append(program_.indices, call.results);
    std::vector<const uint8_t*> attributes;
    for (uint32_t offset : call.attributes) {
      attributes.push_back(input_.view.attributes().data() + offset);
    }
    kernel.attributes = Append(program_.attributes, attributes);
    std::vector<const Function*> functions;
    for (uint32_t id : call.functions) functions.push_back(input_.functions[id]);
    kernel.functions = Append(program_.functions, functions);
    program_.max_results = std::max(program_.max_results, kernel.results.size);
    program_.max_arguments = std::max(program_.max_arguments, kernel.arguments.size);
    program_.order_free &= entry.order_free();
    program_.kernels.push_back(kernel);
    AddUsers(call.results, call.user_counts, call.users);
    return OkStatus();
  }

  void AddUsers(std::span<const uint32_t> registers, std::span<const uint32_t> counts,
                std::span<const uint32_t> users) {
    for (size_t i = 0; i < registers.size(); ++i) {
      program_.registers[registers[i]].users = Append(program_.indices, users.first(counts[i]));
      users = users.subspan(counts[i]);
    }
  }

  void AddArgumentUsers() {
    std::vector<uint32_t> arguments(program_.num_arguments);
    for (uint32_t r = 0; r < arguments.size(); ++r) arguments[r] = r;
    AddUsers(arguments, body_.argument_user_counts(), body_.argument_users());
  }

  void MarkNonStrict() {
    for (const bef::NonStrictFunction& marks : input_.view.nonstrict()) {
      if (marks.function != function_) continue;
      for (uint32_t k : marks.kernels) program_.kernels[k].non_strict = true;
    }
    for (const ProgramKernel& kernel : program_.kernels) {
      program_.has_non_strict |= kernel.non_strict;
    }
  }

  void AddReturns() {
    auto returns = body_.returns();
    program_.result_registers.assign(returns.begin(), returns.end());
    std::vector<uint32_t> positions(returns.size());
    for (uint32_t p = 0; p < positions.size(); ++p) positions[p] = p;
    std::stable_sort(positions.begin(), positions.end(),
                     [&](uint32_t a, uint32_t b) { return returns[a] < returns[b]; });
    uint32_t base = static_cast<uint32_t>(program_.indices.size());
    for (uint32_t i = 0; i < positions.size(); ++i) {
      Slice& slice = program_.registers[returns[positions[i]]].returns;
      if (slice.size == 0) slice.begin = base + i;
      ++slice.size;
    }
    Append(program_.indices, positions);
  }

  const BindInput& input_;
  const uint32_t function_;
  Program& program_;
  DecodedFunction body_;
  std::vector<uint32_t> register_types_;
  bool is_sync_ = false;
};

}  // namespace

Status BindFunction(const BindInput& input, uint32_t function, Program* program,
                    uint32_t* error_location) {
  return Binder(input, function, program).Bind(error_location);
}

}  // namespace tfrt::internal
