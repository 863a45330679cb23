#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "encoding.h"
#include "tfrt/support/str_cat.h"
#include "traced_graph.h"

namespace tfrt::function {
namespace {

using Blobs = std::span<const std::span<const uint8_t>>;

// Reads until the first error, and nothing behind it: numbers are 0 then, and lists empty.
class Decoder {
 public:
  Decoder(std::span<const uint8_t> bytes, Blobs blobs) : bytes_(bytes), blobs_(blobs) {}

  StatusOr<TracedGraph> Decode() {
    Header();
    TracedGraph graph;
    const uint64_t options = Number();
    if (options > (kExact | kFuse | kPack)) Fail("unknown options");
    graph.options = {.exact = (options & kExact) != 0,
                     .fuse = (options & kFuse) != 0,
                     .pack = (options & kPack) != 0};
    List(&graph.locations, [&](DecodedLocation& location) {
      location.file = Text();
      location.line = Small();
      location.column = Small();
      location.name = Text();
    });
    List(&graph.constants, [&](TracedConstant& constant) { Constant(&constant); });
    List(&graph.variables, [&](TracedVariable& variable) {
      variable.name = Text();
      Type(&variable.type);
    });
    List(&graph.callbacks, [&](std::string& name) { name = Text(); });
    List(&graph.functions, [&](TracedFunction& function) { Function(&function); });
    if (error_.empty() && at_ < bytes_.size()) Fail("bytes behind its end");
    if (error_.empty() && next_blob_ < blobs_.size()) Fail("more blobs than large constants");
    if (error_.empty()) return graph;
    return InvalidArgumentError(
        StrCat("the bytes are no traced graph: at byte ", at_, ": ", error_));
  }

 private:
  void Fail(std::string_view why) {
    if (error_.empty()) error_ = why;
  }
  void Header() {
    for (char letter : kMagic) {
      if (at_ >= bytes_.size() || bytes_[at_] != static_cast<uint8_t>(letter)) {
        return Fail("they do not begin with 'TFRG'");
      }
      ++at_;
    }
    const uint64_t version = Number();
    if (version == kTracedGraphVersion) return;
    Fail(StrCat("version ", version, ", expected ", kTracedGraphVersion));
  }

  uint64_t Number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && error_.empty(); shift += 7) {
      if (at_ >= bytes_.size()) {
        Fail("they end too early");
        return 0;
      }
      const uint8_t byte = bytes_[at_++];
      if (shift == 63 && byte > 1) break;
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    Fail("a number is too large");
    return 0;
  }
  int64_t Signed() {
    const uint64_t value = Number();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  uint32_t Small() {
    const uint64_t value = Number();
    if (value > UINT32_MAX) Fail("a number is too large");
    return static_cast<uint32_t>(value);
  }
  // Returns the length of a list, each item of which takes a byte at least.
  size_t Count() {
    const uint64_t count = Number();
    if (count > bytes_.size() - at_) Fail("a list is longer than the bytes");
    return error_.empty() ? static_cast<size_t>(count) : 0;
  }
  std::span<const uint8_t> Bytes(size_t size) {
    std::span<const uint8_t> bytes = bytes_.subspan(at_, size);
    at_ += size;
    return bytes;
  }
  std::string Text() {
    std::span<const uint8_t> bytes = Bytes(Count());
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  template <typename T, typename Read>
  void List(std::vector<T>* items, Read read) {
    const size_t count = Count();
    for (size_t i = 0; i < count && error_.empty(); ++i) read(items->emplace_back());
  }

  DType ReadDType() {
    const uint64_t dtype = Number();
    if (dtype >= kNumElementTypes) {
      Fail(StrCat("there is no element type ", dtype));
      return DType::kUnsupported;
    }
    return static_cast<DType>(dtype);
  }
  void Type(TracedType* type) {
    type->dtype = ReadDType();
    const size_t rank_plus_one = Count();
    if (rank_plus_one == 0) return;
    type->dims.emplace();
    for (size_t i = 1; i < rank_plus_one; ++i) {
      type->dims->push_back(Signed());
      if (type->dims->back() < -1) return Fail("a size is negative");
    }
  }
  void Constant(TracedConstant* constant) {
    Type(&constant->type);
    const uint64_t kind = Number();
    if (kind == 0) {
      constant->data = Bytes(Count());
    } else if (kind != 1) {
      Fail("a constant is neither here nor a blob");
    } else if (next_blob_ >= blobs_.size()) {
      Fail(StrCat("there are only ", blobs_.size(), " blobs"));
    } else {
      constant->data = blobs_[next_blob_++];
    }
  }
  void Values(std::vector<ValueId>* values) {
    List(values, [&](ValueId& value) { value = Small() - 1; });
  }

  template <typename T>
  std::vector<T> Numbers(T (Decoder::*read)()) {
    std::vector<T> values;
    const size_t count = Count();
    for (size_t i = 0; i < count && error_.empty(); ++i) values.push_back((this->*read)());
    return values;
  }
  float Float() { return std::bit_cast<float>(Small()); }
  void Attr(TracedAttr* attr) {
    attr->name = Text();
    switch (Number()) {
      case 0:
        attr->value = Number() != 0;
        break;
      case 1:
        attr->value = Signed();
        break;
      case 2:
        attr->value = Float();
        break;
      case 3:
        attr->value = Text();
        break;
      case 4:
        attr->value = ReadDType();
        break;
      case 5:
        attr->value = Numbers(&Decoder::Signed);
        break;
      case 6:
        attr->value = Numbers(&Decoder::Float);
        break;
      case 7:
        attr->value = Numbers(&Decoder::Text);
        break;
      default:
        Fail("an attribute is of no kind that there is");
    }
  }

  void Op(TracedOp* op) {
    const uint64_t kind = Number();
    if (kind > static_cast<uint64_t>(TracedOpKind::kCall)) Fail("an op of no kind that there is");
    op->kind = static_cast<TracedOpKind>(kind);
    op->op = Text();
    op->index = Small();
    Values(&op->arguments);
    List(&op->attrs, [&](TracedAttr& attr) { Attr(&attr); });
    Values(&op->results);
    op->location = Small() - 1;
    List(&op->bodies, [&](TracedBody& body) { Body(&body); });
  }
  void Body(TracedBody* body) {
    if (++depth_ > kMaxDepth) return Fail(StrCat("bodies in more than ", kMaxDepth, " bodies"));
    Values(&body->arguments);
    List(&body->ops, [&](TracedOp& op) { Op(&op); });
    Values(&body->results);
    --depth_;
  }
  void Function(TracedFunction* function) {
    function->name = Text();
    List(&function->values, [&](TracedType& type) { Type(&type); });
    function->num_inputs = Small();
    List(&function->argument_names, [&](std::string& name) { name = Text(); });
    List(&function->result_names, [&](std::string& name) { name = Text(); });
    Body(&function->body);
  }

  const std::span<const uint8_t> bytes_;
  const Blobs blobs_;
  size_t at_ = 0;
  size_t next_blob_ = 0;
  size_t depth_ = 0;
  std::string error_;
};

}  // namespace

StatusOr<TracedGraph> Decode(std::span<const uint8_t> bytes, Blobs blobs) {
  static_assert(std::variant_size_v<OpAttrValue> == 9);
  return Decoder(bytes, blobs).Decode();
}

}  // namespace tfrt::function
