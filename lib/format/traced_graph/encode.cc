// A version, then all parts in the order in which traced_graph.h has them. Numbers are LEB128,
// lists begin with their length.

#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>

#include "encoding.h"
#include "traced_graph.h"

namespace tfrt::function {
namespace {

class Encoder {
 public:
  EncodedGraph Encode(const TracedGraph& graph) {
    for (char letter : kMagic) encoded_.bytes.push_back(static_cast<uint8_t>(letter));
    Number(kTracedGraphVersion);
    Number((graph.options.exact ? kExact : 0) | (graph.options.fuse ? kFuse : 0) |
           (graph.options.pack ? kPack : 0));
    List(graph.locations, [&](const DecodedLocation& location) {
      Text(location.file);
      Number(location.line);
      Number(location.column);
      Text(location.name);
    });
    List(graph.constants, [&](const TracedConstant& constant) { Constant(constant); });
    List(graph.variables, [&](const TracedVariable& variable) {
      Text(variable.name);
      Type(variable.type);
    });
    List(graph.callbacks, [&](const std::string& name) { Text(name); });
    List(graph.functions, [&](const TracedFunction& function) { Function(function); });
    return std::move(encoded_);
  }

 private:
  void Number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
      encoded_.bytes.push_back(static_cast<uint8_t>(value | 0x80));
    }
    encoded_.bytes.push_back(static_cast<uint8_t>(value));
  }
  void Signed(int64_t value) {
    Number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void Bytes(std::span<const uint8_t> bytes) {
    encoded_.bytes.insert(encoded_.bytes.end(), bytes.begin(), bytes.end());
  }
  void Text(std::string_view text) {
    Number(text.size());
    Bytes({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  template <typename Items, typename Write>
  void List(const Items& items, Write write) {
    Number(items.size());
    for (const auto& item : items) write(item);
  }

  void Type(const TracedType& type) {
    Number(static_cast<uint64_t>(type.dtype));
    Number(type.dims ? type.dims->size() + 1 : 0);
    if (type.dims) {
      for (int64_t size : *type.dims) Signed(size);
    }
  }
  void Constant(const TracedConstant& constant) {
    Type(constant.type);
    if (constant.data.size() > kMaxInlineBytes) {
      Number(1);
      encoded_.blobs.push_back(constant.data);
      return;
    }
    Number(0);
    Number(constant.data.size());
    Bytes(constant.data);
  }
  void Values(const std::vector<ValueId>& values) {
    // A value that is left out is written as 0.
    List(values, [&](ValueId value) { Number(static_cast<uint32_t>(value + 1)); });
  }
  void Attr(const TracedAttr& attr) {
    Text(attr.name);
    Number(attr.value.index());
    std::visit([&](const auto& value) { Value(value); }, attr.value);
  }
  void Value(bool value) { Number(value ? 1 : 0); }
  void Value(int64_t value) { Signed(value); }
  void Value(float value) { Number(std::bit_cast<uint32_t>(value)); }
  void Value(const std::string& value) { Text(value); }
  void Value(DType value) { Number(static_cast<uint64_t>(value)); }
  template <typename T>
  void Value(const std::vector<T>& values) {
    List(values, [&](const T& value) { Value(value); });
  }
  // Verify refuses it: constants are ops.
  void Value(const ValueType& value) { Number(static_cast<uint64_t>(value.dtype)); }

  void Op(const TracedOp& op) {
    Number(static_cast<uint64_t>(op.kind));
    Text(op.op);
    Number(op.index);
    Values(op.arguments);
    List(op.attrs, [&](const TracedAttr& attr) { Attr(attr); });
    Values(op.results);
    Number(static_cast<uint32_t>(op.location + 1));
    List(op.bodies, [&](const TracedBody& body) { Body(body); });
  }
  void Body(const TracedBody& body) {
    Values(body.arguments);
    List(body.ops, [&](const TracedOp& op) { Op(op); });
    Values(body.results);
  }
  void Function(const TracedFunction& function) {
    Text(function.name);
    List(function.values, [&](const TracedType& type) { Type(type); });
    Number(function.num_inputs);
    List(function.argument_names, [&](const std::string& name) { Text(name); });
    List(function.result_names, [&](const std::string& name) { Text(name); });
    Body(function.body);
  }

  EncodedGraph encoded_;
};

}  // namespace

EncodedGraph Encode(const TracedGraph& graph) { return Encoder().Encode(graph); }

}  // namespace tfrt::function
