#include "conversion.h"

#include <algorithm>
#include <cassert>

#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Returns whether the name of the type ends with the device: "DenseGpu" on gpu, "DenseHost" on cpu.
bool TellsDevice(const ConversionEnd& end) {
  const std::string_view name = end.type.name();
  const std::string_view device = end.device_kind == "cpu" ? "host" : end.device_kind;
  return name.size() > device.size() &&
         std::ranges::equal(name.substr(name.size() - device.size()), device, {},
                            [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
}

std::string Describe(const ConversionEnd& from, const ConversionEnd& to) {
  const auto end = [&](const ConversionEnd& end) {
    if (from.device_kind == to.device_kind || TellsDevice(end)) return std::string(end.type.name());
    return StrCat(end.type.name(), " on ", end.device_kind);
  };
  return StrCat("[", end(from), "]->[", end(to), "]");
}

}  // namespace

ConversionRegistry::ConversionRegistry(HostContext*) {
  [[maybe_unused]] Status status = RegisterHostTensorConversions(this);
  assert(status.ok());
}

ConversionRegistry::Key ConversionRegistry::KeyOf(const ConversionEnd& from,
                                                  const ConversionEnd& to) {
  return {{from.type, std::string(from.device_kind)}, {to.type, std::string(to.device_kind)}};
}

Status ConversionRegistry::Add(const ConversionEnd& from, const ConversionEnd& to,
                               TensorConversion conversion) {
  if (conversions_.try_emplace(KeyOf(from, to), conversion).second) return OkStatus();
  return AlreadyExistsError(StrCat("the conversion from ", from.type.name(), " tensors to ",
                                   to.type.name(), " tensors is registered twice"));
}

Status ConversionRegistry::AddExchange(std::string_view device_kind,
                                       const ArrayExchange* exchange) {
  if (exchanges_.try_emplace(std::string(device_kind), exchange).second) return OkStatus();
  return AlreadyExistsError(
      StrCat("the exchange of arrays on ", device_kind, " is registered twice"));
}

const ArrayExchange* ConversionRegistry::FindExchange(std::string_view device_kind) const {
  auto found = exchanges_.find(device_kind);
  return found == exchanges_.end() ? nullptr : found->second;
}

AsyncValueRef<Tensor> ConversionRegistry::Convert(const Tensor& tensor,
                                                  const ConversionDevices& devices, TensorType to,
                                                  const ExecutionContext& exec_ctx) const {
  ConversionEnd from_end{tensor.tensor_type(), devices.from.kind()};
  ConversionEnd to_end{to, devices.to.kind()};
  auto conversion = conversions_.find(KeyOf(from_end, to_end));
  if (conversion == conversions_.end()) {
    return InvalidArgumentError(
        StrCat("cannot find conversion function for ", Describe(from_end, to_end)));
  }
  return conversion->second(tensor, devices, exec_ctx);
}

AsyncValueRef<Tensor> ConversionRegistry::Convert(const Tensor& tensor, TensorType to,
                                                  const ExecutionContext& exec_ctx) const {
  HostContext* host = exec_ctx.host();
  Device& device = *host->GetHostDevice();
  return Convert(tensor, {device, device, host->allocator()}, to, exec_ctx);
}

TensorType CopiedType(TensorType type, const Device& to) {
  TensorType native(to.tensor_type_name());
  if (type == kStringHostTensorType) return type;
  if (type == kScalarHostTensorType && native == kDenseHostTensorType) return type;
  return native;
}

}  // namespace tfrt
