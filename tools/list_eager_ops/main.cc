// list_eager_ops: the eager ops of the host, and the functions of arrays that they compute, as JSON
// for scripts/make_eager_ops.py.

#include <cstdio>
#include <string>
#include <string_view>

#include "lib/api/eager/array_functions.h"
#include "lib/ops/host_ops/cpu_ops.h"

namespace {

using tfrt::OpArgumentSpec;
using tfrt::OpAttrSpec;

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string_view KindName(OpArgumentSpec::Kind kind) {
  switch (kind) {
    case OpArgumentSpec::Kind::kRequired:
      return "required";
    case OpArgumentSpec::Kind::kOptional:
      return "optional";
    case OpArgumentSpec::Kind::kVariadic:
      return "variadic";
  }
  return "";
}

template <typename List, typename Print>
std::string Array(const List& list, Print print) {
  std::string out;
  for (const auto& item : list) out += (out.empty() ? "" : ", ") + print(item);
  return "[" + out + "]";
}

}  // namespace

int main() {
  tfrt::OpRegistry registry;
  tfrt::RegisterCpuOps(&registry);
  for (const tfrt::OpDefinition& op : registry.ops()) {
    std::string arguments = Array(op.arguments, [](const OpArgumentSpec& argument) {
      return "{\"name\": " + Quoted(argument.name) +
             ", \"kind\": " + Quoted(KindName(argument.kind)) + ", \"host\": " +
             (argument.host_value == OpArgumentSpec::HostValue::kNo ? "false" : "true") +
             ", \"most\": " + Quoted(argument.most) + ", \"last\": " + Quoted(argument.last) + "}";
    });
    std::string attrs = Array(op.attrs, [](const OpAttrSpec& attr) {
      return "{\"name\": " + Quoted(attr.name) +
             ", \"kind\": " + Quoted(tfrt::OpAttrKindName(attr.kind)) +
             ", \"default\": " + Quoted(attr.default_value) + "}";
    });
    std::string results = Array(op.results, [](std::string_view name) { return Quoted(name); });
    std::printf(
        "{\"name\": %s, \"op\": %s, \"summary\": %s, \"arguments\": %s, \"attrs\": %s, "
        "\"results\": %s, "
        "\"effects\": %s, \"metadata\": %s, \"runs\": %s, \"quick\": %s, \"no_gradient\": %s}\n",
        Quoted(op.name).c_str(), Quoted(op.description->name).c_str(), Quoted(op.summary).c_str(),
        arguments.c_str(), attrs.c_str(), results.c_str(), op.has_side_effects() ? "true" : "false",
        op.has_early_metadata ? "true" : "false", op.function ? "true" : "false",
        op.quick ? "true" : "false", Quoted(op.description->gradient.why_none).c_str());
  }
  for (const tfrt::eager::ArrayFunction& function : tfrt::eager::ArrayFunctions()) {
    std::printf("{\"array\": %s, \"cpp\": %s, \"name\": %s, \"summary\": %s}\n",
                Quoted(function.name).c_str(), Quoted(function.cpp_name).c_str(),
                Quoted(function.op).c_str(), Quoted(function.summary).c_str());
  }
}
