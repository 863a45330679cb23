#include "binder.h"

#include <numeric>
#include <string>

#include "lib/format/bef/attribute_reader.h"
#include "run.h"
#include "stable_sort.h"
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
              : StrCat("kernel '", name_,
                       "' is not a sync kernel and cannot run in a sync function"));
    }
    if (!entry_.signature) return OkStatus();
    const KernelSignature& signature = *entry_.signature;
    TFRT_RETURN_IF_ERROR(CheckArguments(signature));
    TFRT_RETURN_IF_ERROR(CheckCount("result", call_.results().size(), signature.results.size(),
                                    signature.variadic_results));
    TFRT_RETURN_IF_ERROR(CheckCount("function", call_.functions().size(), signature.num_functions,
                                    signature.variadic_functions));
    TFRT_RETURN_IF_ERROR(CheckCount("attribute", call_.attributes().size(),
                                    signature.attributes.size(), signature.variadic_attributes));
    for (size_t i = 0; i < call_.attributes().size(); ++i) {
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
    size_t given = call_.operands().size();
    size_t wanted = signature.arguments.size();
    if (signature.allows_trailing_chain && given == wanted + 1) {
      if (last_operand_type_.empty() || last_operand_type_ == "!tfrt.chain") return OkStatus();
    }
    return CheckCount("argument", given, wanted, signature.variadic_arguments);
  }

  Status CheckAttribute(size_t index, AttributeCode wanted_code) const {
    uint32_t offset = call_.attributes()[index];
    auto wanted = static_cast<TypeCode>(wanted_code);
    std::optional<TypeCode> actual = view_.FindAttributeType(offset);
    if (wanted_code == kAnyAttribute) {
      // The kernel decodes it on its own; without a stored type the bytes cannot be checked.
      if (!actual) return OkStatus();
      wanted = *actual;
    } else if (wanted == TypeCode::kI1 && actual && *actual != wanted &&
               bef::IsIntegerCode(*actual)) {
      return CheckIntegerAsBool(index, *actual);
    } else if (actual && *actual != wanted &&
               !(*actual == TypeCode::kEmptyArray && IsAnyArray(wanted) && IsEmptyArray(offset))) {
      return InvalidArgumentError(StrCat("attribute ", index, " of kernel '", name_, "' is ",
                                         bef::TypeCodeName(*actual), ", but the kernel takes ",
                                         bef::TypeCodeName(wanted)));
    }
    if (IsAnyArray(wanted) && IsEmptyArray(offset)) return OkStatus();
    StatusOr<uint32_t> end = bef::VerifyAttribute(view_.attributes(), offset, wanted);
    if (end.ok()) return OkStatus();
    return InvalidArgumentError(StrCat("attribute ", index, " of kernel '", name_, "' is no valid ",
                                       bef::TypeCodeName(wanted), ": ", end.status().message()));
  }

  // A bool may be an integer of any width that is 0 or 1: its first byte is what the kernel reads.
  Status CheckIntegerAsBool(size_t index, TypeCode code) const {
    TFRT_ASSIGN_OR_RETURN(uint64_t value,
                          bef::ReadScalar(view_.attributes(), call_.attributes()[index], code));
    if (value <= 1) return OkStatus();
    bool is_signed = code >= TypeCode::kI8;
    size_t unused_bits = 64 - 8 * bef::ElementSize(code);
    int64_t extended = static_cast<int64_t>(value << unused_bits) >> unused_bits;
    return InvalidArgumentError(StrCat(
        "attribute ", index, " of kernel '", name_, "' is the ", bef::TypeCodeName(code), " ",
        is_signed ? StrCat(extended) : StrCat(value), ", but the kernel takes a bool, 0 or 1"));
  }

  static bool IsAnyArray(TypeCode code) {
    return bef::IsArrayCode(code) || code == TypeCode::kAggregate;
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

class Binder {
 public:
  Binder(const BindInput& input, uint32_t function, const LocationHandler* locations,
         Program* program)
      : input_(input), function_(function), locations_(locations), program_(*program) {}

  Status Bind(uint32_t* error_location) {
    TFRT_ASSIGN_OR_RETURN(program_.body, input_.view.DecodeFunction(function_));
    const DecodedFunction& body = program_.body;
    *error_location = body.location();
    const bef::FunctionInfo& info = input_.view.functions()[function_];
    is_sync_ = info.kind == bef::FunctionKind::kSync;
    program_.is_sync = is_sync_;
    proven_types_.resize(body.num_registers());
    register_types_ = input_.view.RegisterTypes(function_);
    type_names_ = input_.view.type_names();
    program_.name = info.name;
    program_.kernel_names = input_.view.kernel_names();
    program_.view = &input_.view;
    program_.num_arguments = body.num_arguments();
    program_.root_stream = body.root_stream();
    program_.num_registers = body.num_registers();
    program_.registers.resize(body.num_registers());
    program_.kernels.reserve(body.kernels().size());
    for (const DecodedKernel& kernel : body.kernels()) {
      *error_location = kernel.location();
      TFRT_RETURN_IF_ERROR(AddKernel(kernel));
    }
    MarkNonStrict();
    program_.order_free = !is_sync_ && input_.order_freedom.Has(function_, body);
    SetUsers(0, body.argument_user_counts(), body.argument_users());
    program_.tables = {.attributes = program_.attributes.data(),
                       .functions = program_.functions.data(),
                       .locations = locations_,
                       .is_last_use = &IsDeadArgument};
    AddReturns();
    is_sync_ ? ScheduleSyncProgram(&program_, trivial_results_) : ScheduleProgram(&program_);
    return OkStatus();
  }

 private:
  Status AddKernel(const DecodedKernel& call) {
    const KernelEntry& entry = *input_.kernels[call.kernel_id()];
    std::string_view name = program_.kernel_names[call.kernel_id()];
    std::string_view last_operand_type;
    if (!call.operands().empty() && !register_types_.empty()) {
      last_operand_type = type_names_[register_types_[call.operands().back()]];
    }
    TFRT_RETURN_IF_ERROR(
        CallChecker(input_.view, name, entry, call, last_operand_type).Check(is_sync_));

    ProgramKernel& kernel = program_.kernels.emplace_back();
    if (is_sync_) {
      kernel.sync_function = entry.sync_function;
    } else {
      kernel.async_function = entry.async_function;
    }
    kernel.location = call.location();
    kernel.non_strict = entry.non_strict();
    kernel.arguments = call.operands().data();
    kernel.num_arguments = static_cast<uint32_t>(call.operands().size());
    kernel.num_results = static_cast<uint32_t>(call.results().size());
    kernel.first_result = call.results().empty() ? 0 : call.results().front();
    kernel.first_attribute = static_cast<uint32_t>(program_.attributes.size());
    kernel.num_attributes = static_cast<uint32_t>(call.attributes().size());
    for (uint32_t offset : call.attributes()) {
      program_.attributes.push_back(input_.view.attributes().data() + offset);
    }
    kernel.first_function = static_cast<uint32_t>(program_.functions.size());
    kernel.num_functions = static_cast<uint32_t>(call.functions().size());
    for (uint32_t id : call.functions()) program_.functions.push_back(input_.functions[id]);
    if (entry.signature) UseSignature(*entry.signature, &kernel);
    if (is_sync_) trivial_results_.push_back(entry.signature && entry.signature->trivial_results);
    program_.has_non_strict |= kernel.non_strict;
    program_.all_return_all_results &= kernel.returns_all_results;
    program_.all_clear_results &= kernel.clears_results;
    SetUsers(kernel.first_result, call.user_counts(), call.users());
    return OkStatus();
  }

  // The signature has as many fixed arguments and results as the call, or fewer.
  void UseSignature(const KernelSignature& signature, ProgramKernel* kernel) {
    kernel->clears_results = signature.clears_results;
    kernel->returns_all_results = signature.returns_all_results;
    kernel->is_op = signature.is_op;
    kernel->reusable_register = FirstOfResultType(signature, *kernel);
    if (!kernel->non_strict && ArgumentTypesAreProven(signature.arguments, *kernel)) {
      if (!is_sync_ && signature.unchecked_async_function) {
        kernel->async_function = signature.unchecked_async_function;
      } else if (is_sync_ && signature.unchecked_sync_function) {
        kernel->sync_function = signature.unchecked_sync_function;
      }
    }
    if (!signature.plain_results) return;
    for (size_t i = 0; i < signature.results.size(); ++i) {
      proven_types_[kernel->first_result + i] = signature.results[i];
    }
  }

  // True if all arguments come from kernels that give them the very types that this one takes, as
  // plain values. In an async function the values may be errors instead, which a strict kernel
  // never gets; the function's own arguments have unknown types.
  bool ArgumentTypesAreProven(std::span<const TypeIdGetter> types,
                              const ProgramKernel& kernel) const {
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i] && !IsSameType(types[i], proven_types_[kernel.arguments[i]])) return false;
    }
    return true;
  }

  // Null: any type. One type may have several getters, which differ between libraries.
  static bool IsSameType(TypeIdGetter a, TypeIdGetter b) {
    return a == b ? a != nullptr : a && b && a() == b();
  }

  // The first operand whose type is that of the first result, or -1. Numbers of operands fit: eight
  // bytes of each register's record lie before the kernel, whose offset has 32 bits.
  static int32_t FirstOfResultType(const KernelSignature& signature, const ProgramKernel& kernel) {
    TypeIdGetter result = signature.results.empty() ? nullptr : signature.results.front();
    if (!result) return -1;
    result();  // registers the type, which the kernel counts on
    for (size_t i = 0; i < signature.arguments.size(); ++i) {
      if (IsSameType(signature.arguments[i], result)) {
        return static_cast<int32_t>(kernel.arguments[i]);
      }
    }
    return -1;
  }

  // The users of consecutive registers.
  void SetUsers(uint32_t first_register, std::span<const uint32_t> counts,
                std::span<const uint32_t> users) {
    for (size_t i = 0; i < counts.size(); ++i) {
      program_.registers[first_register + i].users = users.first(counts[i]);
      users = users.subspan(counts[i]);
    }
  }

  void MarkNonStrict() {
    for (const bef::NonStrictFunction& marks : input_.view.nonstrict()) {
      if (marks.function != function_) continue;
      for (uint32_t k : marks.kernels) {
        program_.has_non_strict = program_.kernels[k].non_strict = true;
        if (is_sync_) continue;
        // Its arguments may be errors, or not there yet.
        uint32_t id = program_.body.kernels()[k].kernel_id();
        program_.kernels[k].async_function = input_.kernels[id]->async_function;
      }
    }
  }

  void AddReturns() {
    std::span<const uint32_t> returns = program_.result_registers();
    std::vector<uint32_t>& positions = program_.return_positions;
    positions.resize(returns.size());
    std::iota(positions.begin(), positions.end(), 0);
    StableSortByKey(positions, [&](uint32_t position) { return returns[position]; });
    for (size_t begin = 0; begin < positions.size();) {
      size_t end = begin + 1;
      uint32_t r = returns[positions[begin]];
      while (end < positions.size() && returns[positions[end]] == r) ++end;
      program_.registers[r].returns = std::span(positions).subspan(begin, end - begin);
      begin = end;
    }
    for (uint32_t p = 0; p < returns.size(); ++p) {
      bool is_last = program_.registers[returns[p]].returns.back() == p;
      program_.returns.push_back({returns[p], is_last ? returns[p] + 1 : 0});
    }
    for (uint32_t r = 0; r < program_.num_arguments; ++r) {
      const ProgramRegister& reg = program_.registers[r];
      if (reg.users.empty() && !reg.returned()) program_.unused_arguments.push_back(r);
    }
  }

  const BindInput& input_;
  const uint32_t function_;
  const LocationHandler* const locations_;
  Program& program_;
  std::vector<uint32_t> register_types_;
  std::span<const std::string_view> type_names_;
  std::vector<uint8_t> trivial_results_;    // by kernel, of a sync function
  std::vector<TypeIdGetter> proven_types_;  // by register; null: any
  bool is_sync_ = false;
};

}  // namespace

Status BindFunction(const BindInput& input, uint32_t function, const LocationHandler* locations,
                    Program* program, uint32_t* error_location) {
  return Binder(input, function, locations, program).Bind(error_location);
}

}  // namespace tfrt::internal
