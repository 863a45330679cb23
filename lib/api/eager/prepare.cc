#include "prepare.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "attributes.h"
#include "lib/base/support/logging.h"
#include "messages.h"
#include "node.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {

Status CheckCall(const OpDefinition& op, size_t num_arguments, size_t num_results,
                 const OpAttrsRef& attrs) {
  using ArgumentKind = OpArgumentSpec::Kind;
  size_t required = 0;
  bool variadic = false;
  for (const OpArgumentSpec& argument : op.arguments) {
    required += argument.kind == ArgumentKind::kRequired;
    variadic |= argument.kind == ArgumentKind::kVariadic;
  }
  bool flexible = variadic || required < op.arguments.size();
  if (num_arguments < required || (!variadic && num_arguments > op.arguments.size())) {
    return InvalidArgumentError(StrCat(op.name, " takes ", required,
                                       variadic   ? " or more"
                                       : flexible ? StrCat(" to ", op.arguments.size())
                                                  : "",
                                       " arguments, but there are ", num_arguments));
  }
  TFRT_RETURN_IF_ERROR(CheckResultCount(op, num_results));
  return CheckAttributes(op, attrs);
}

Status TooManyResults(const OpDefinition& op, size_t num_results) {
  return InvalidArgumentError(
      StrCat(op.name, " has ", op.results.size(), " results, but is asked for ", num_results));
}

namespace {

// Why a device does not run such calls; nothing if it does.
std::optional<PlacementReason> WhyNot(const Context::Impl& context, uint8_t device,
                                      const CallKey& key) {
  const ContextDevice& place = context.devices[device];
  const OpDefinition& op = key.op();
  if (!place.Has(op)) {
    return place.runner->LeavesToHost(op) ? PlacementReason::kSoftByDesign
                                          : PlacementReason::kSoftNoKernel;
  }
  if (!context.Supports(device, op)) return PlacementReason::kSoft;
  if (op.composite) return std::nullopt;
  std::vector<DType> dtypes;
  for (size_t i = 0; i < key.num_arguments(); ++i) {
    const CallKey::Word word = key.argument(i);
    dtypes.push_back(word == CallKey::kAbsent ? DType::kUnsupported : DType(word & 0xFF));
    // Not known yet: the op's run finds out.
    if (word != CallKey::kAbsent && dtypes.back() == DType::kUnsupported) return std::nullopt;
  }
  if (place.runner->HasKernel(op, *place.device, key.attrs(), dtypes)) return std::nullopt;
  return PlacementReason::kSoftNoDtype;
}

// "gpu:0 has no kernel of tf.AddV2 for the dtypes i8, i8"
std::string TextOf(PlacementReason reason, std::string_view device, const CallKey& key) {
  const std::string_view op = key.op().name;
  switch (reason) {
    case PlacementReason::kSoftByDesign:
      return StrCat(device, " leaves ", op, " to the host by design");
    case PlacementReason::kSoftNoDtype: {
      std::string dtypes;
      for (size_t i = 0; i < key.num_arguments(); ++i) {
        if (key.argument(i) == CallKey::kAbsent) continue;
        dtypes += StrCat(dtypes.empty() ? " for the dtypes " : ", ",
                         DTypeName(DType(key.argument(i) & 0xFF)));
      }
      return StrCat(device, " has no kernel of ", op, dtypes.empty() ? " for its dtype" : dtypes);
    }
    default:
      return StrCat("the device ", device, " does not have ", op);
  }
}

}  // namespace

StatusOr<Placement> ChoosePlacement(const Scope::State& scope, const CallKey& key, Location where) {
  const Context::Impl& context = scope.context;
  const OpDefinition& op = key.op();
  auto place_on = [&](uint8_t device, PlacementReason reason) {
    // Logged calls never take the quick way.
    bool direct = context.devices[device].IsDirect(op) && !context.log;
    return Placement{device, direct ? device : Placement::kNotDirect, reason};
  };
  auto has_op = [&](const ContextDevice& device) { return device.Has(op); };
  if (std::ranges::none_of(context.devices, has_op)) {
    return UnimplementedError(StrCat(op.name, " is known by its metadata only: no device has it"));
  }
  for (size_t i = 0; i < key.num_arguments(); ++i) {
    CallKey::Word word = key.argument(i);
    if (word == CallKey::kAbsent || DType(word & 0xFF) != DType::kResource) continue;
    auto device = static_cast<uint8_t>(word >> 8);
    if (context.Supports(device, op)) return place_on(device, PlacementReason::kResource);
    return NotFoundError(StrCat(NameOfArgument(op, i), " is a resource of ",
                                context.devices[device].name(), ", which does not have ", op.name));
  }
  if (key.small_integers() && context.Supports(kHostDevice, op)) {
    return place_on(kHostDevice, PlacementReason::kSmallIntegers);
  }
  if (op.description->reads_metadata_alone() && context.Supports(kHostDevice, op)) {
    return place_on(kHostDevice, PlacementReason::kHostResults);
  }
  auto wanted = static_cast<uint8_t>(key.scope_device());
  PlacementReason reason = PlacementReason::kPriority;
  std::string why;
  if (wanted != kNoDevice) {
    const std::optional<PlacementReason> why_not = WhyNot(context, wanted, key);
    if (!why_not) return place_on(wanted, PlacementReason::kScope);
    reason = *why_not;
    why = TextOf(reason, context.devices[wanted].name(), key);
    if (!context.options.soft_placement) {
      return NotFoundError(StrCat(why, ", and soft placement is off"));
    }
  }
  for (uint8_t device : context.priority) {
    if (WhyNot(context, device, key)) continue;
    if (!why.empty() && scope.misplaced_input == MisplacedInputPolicy::kWarn) {
      TFRT_LOG(WARNING) << LinePrefix(where) << op.name << " runs on "
                        << context.devices[device].name() << ": " << why;
    }
    return place_on(device, reason);
  }
  return NotFoundError(
      StrCat("no device has ", op.name, "; the devices are ", context.DeviceNames()));
}

Status CheckMayCopy(const Scope::State& scope, const OpDefinition& op, size_t index,
                    const TensorState& state, uint8_t device, Location where) {
  const std::string& from = scope.context.devices[state.device()].name();
  const std::string& to = scope.context.devices[device].name();
  const DType dtype = state.metadata()->dtype;
  if (dtype == DType::kResource) {
    return InvalidArgumentError(StrCat(NameOfArgument(op, index), " is a resource of ", from,
                                       ", but the op runs on ", to, "; resources are not copied"));
  }
  switch (scope.misplaced_input) {
    case MisplacedInputPolicy::kSilent:
      return OkStatus();
    case MisplacedInputPolicy::kSilentForI32:
      if (dtype == DType::kI32) return OkStatus();
      break;
    case MisplacedInputPolicy::kWarn:
      if (state.FindCopy(device)) return OkStatus();
      TFRT_LOG(WARNING) << LinePrefix(where) << op.name << ": " << NameOfArgument(op, index)
                        << " is copied from " << from << " to " << to;
      return OkStatus();
    case MisplacedInputPolicy::kExplicit:
      break;
  }
  return InvalidArgumentError(StrCat(NameOfArgument(op, index), " is on ", from,
                                     ", but the op runs on ", to, "; copy it with CopyTo(\"", to,
                                     "\")"));
}

std::string_view ReasonName(PlacementReason reason) {
  switch (reason) {
    case PlacementReason::kResource:
      return "resource";
    case PlacementReason::kSmallIntegers:
      return "small-integers";
    case PlacementReason::kHostResults:
      return "host-results";
    case PlacementReason::kScope:
      return "scope";
    case PlacementReason::kSoft:
      return "soft";
    case PlacementReason::kSoftNoKernel:
      return "soft-no-kernel";
    case PlacementReason::kSoftNoDtype:
      return "soft-no-dtype";
    case PlacementReason::kSoftByDesign:
      return "soft-by-design";
    case PlacementReason::kPriority:
      return "priority";
  }
  return "";
}

}  // namespace tfrt::eager
