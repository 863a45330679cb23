#include "tfrt/function/function.h"

#include <memory>
#include <utility>

#include "function_impl.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::function {

AnyFunction::AnyFunction(std::string name, Body body, FunctionOptions options, Location where)
    : impl_(std::make_shared<FunctionImpl>(std::move(name), std::move(body), std::move(options),
                                           where)) {}
AnyFunction::~AnyFunction() = default;
AnyFunction::AnyFunction(const AnyFunction&) = default;
AnyFunction& AnyFunction::operator=(const AnyFunction&) = default;

const std::string& AnyFunction::name() const { return impl_->name(); }
const FunctionOptions& AnyFunction::options() const { return impl_->options(); }

Status AnyFunction::Call(std::span<Argument> arguments, std::span<Tensor> results,
                         Location where) const {
  return impl_->Call(arguments, results.size(), nullptr, results, where);
}

AnyFunction::CallResult AnyFunction::CallForAll(std::span<Argument> arguments,
                                                Location where) const {
  CallResult result;
  result.status = impl_->Call(arguments, internal::kAnyNumber, &result, {}, where);
  return result;
}

std::vector<Tensor> AnyFunction::Call(std::span<Argument> arguments, Location where) const {
  CallResult result = CallForAll(arguments, where);
  if (result.tensors.empty() && !result.status.ok()) return {eager::ErrorTensorOf(result.status)};
  return std::move(result.tensors);
}

void AnyFunction::LeaveNote(std::shared_ptr<const void> note) {
  FunctionImpl::LeaveNote(std::move(note));
}

StatusOr<ConcreteFunction> AnyFunction::ConcreteOf(std::span<Argument> arguments,
                                                   Location where) const {
  TFRT_ASSIGN_OR_RETURN(RCReference<Program> program, impl_->Concrete(arguments, where));
  return ConcreteFunction(std::move(program));
}

bool AnyFunction::IsCached(std::span<const Argument> arguments) const {
  return impl_->IsCached(arguments);
}

std::vector<ConcreteFunction> AnyFunction::Programs() const {
  std::vector<ConcreteFunction> programs;
  for (RCReference<Program>& program : impl_->Programs()) programs.emplace_back(std::move(program));
  return programs;
}

Status AnyFunction::Save(const std::string& path) const {
  const std::vector<ConcreteFunction> programs = Programs();
  if (programs.size() == 1) return programs[0].Save(path);
  if (programs.empty()) {
    return FailedPreconditionError(StrCat("the function '", name(),
                                          "' has no trace to save: call it, or ask Concrete for "
                                          "one with TensorSpecs"));
  }
  return FailedPreconditionError(StrCat("the function '", name(), "' has ", programs.size(),
                                        " traces: save the one that Concrete gives for your "
                                        "arguments"));
}

FunctionStatistics AnyFunction::statistics() const { return impl_->statistics(); }
std::string AnyFunction::Report() const { return impl_->Report(); }
void AnyFunction::ClearCache() { impl_->ClearCache(); }

}  // namespace tfrt::function
