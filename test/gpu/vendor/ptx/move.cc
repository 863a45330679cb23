// Moves: of values, of addresses, of the parts of a register; conversions of addresses between
// state spaces.
#include "encoder.h"
#include "lanes.h"
#include "memory.h"

namespace tfrt::gpu::ptx {
namespace {

uint64_t Same(uint64_t value) { return value; }

void RunMovePredicate(Warp& warp, const Instruction& in, LaneMask lanes) {
  warp.Write(in.p, lanes, warp.Read(in.q));
}

// {a, b, ...} to one register: `count` elements, each of BitsOf(type) / count bits.
void RunPack(Warp& warp, const Instruction& in, LaneMask lanes) {
  const std::vector<Operand>& elements = warp.launch().program().lists[in.extra];
  int bits = BitsOf(in.type) / in.count;
  uint64_t packed[kWarpLanes] = {};
  for (size_t i = 0; i < elements.size(); ++i) {
    const uint64_t* element = warp.Read(elements[i]);
    ForEachLane(lanes, [&](uint32_t lane) {
      packed[lane] |= element[lane] << (bits * static_cast<int>(i));
    });
  }
  uint64_t* d = warp.Write(in.d);
  ForEachLane(lanes, [&](uint32_t lane) { d[lane] = packed[lane]; });
}

// And back; some of the elements may be sinks.
void RunUnpack(Warp& warp, const Instruction& in, LaneMask lanes) {
  const std::vector<Operand>& elements = warp.launch().program().lists[in.extra];
  int bits = BitsOf(in.type) / in.count;
  uint64_t mask = (uint64_t{1} << bits) - 1;
  uint64_t values[kWarpLanes];  // an element may be the source itself
  const uint64_t* source = warp.Read(in.a);
  ForEachLane(lanes, [&](uint32_t lane) { values[lane] = source[lane]; });
  for (size_t i = 0; i < elements.size(); ++i) {
    uint64_t* element = warp.Write(elements[i]);
    int shift = bits * static_cast<int>(i);
    ForEachLane(lanes, [&](uint32_t lane) { element[lane] = values[lane] >> shift & mask; });
  }
}

Type UntypedOf(int bits) {
  return bits == 8    ? Type::kB8
         : bits == 16 ? Type::kB16
         : bits == 32 ? Type::kB32
         : bits == 64 ? Type::kB64
                      : Type::kNone;
}

void EncodeVectorMove(Encoder& encoder, Type type, bool packs) {
  const OperandSyntax& vector = encoder.operand(packs ? 1 : 0);
  size_t count = vector.elements.size();
  Type element =
      count == 2 || count == 4 ? UntypedOf(BitsOf(type) / static_cast<int>(count)) : Type::kNone;
  if (element == Type::kNone || !IsUntyped(type)) {
    encoder.Fail("a vector of " + std::to_string(count) + " elements for type ." + TypeName(type));
    return;
  }
  Instruction& out = encoder.out();
  out.type = type;
  out.count = static_cast<uint8_t>(count);
  std::vector<Operand> elements;
  for (const OperandSyntax& syntax : vector.elements) {
    // Bytes lie in registers of 16 bits.
    elements.push_back(packs ? encoder.Source(syntax, element, element == Type::kB8)
                             : encoder.Destination(syntax, element, element == Type::kB8));
  }
  out.extra = encoder.AddList(std::move(elements));
  out.run = packs ? &RunPack : &RunUnpack;
  if (packs) {
    out.d = encoder.Destination(0, type);
  } else {
    out.a = encoder.Source(1, type);
  }
}

void EncodeMove(Encoder& encoder) {
  Type type = encoder.TakeType();
  encoder.ExpectOperands(2);
  Instruction& out = encoder.out();
  if (type == Type::kPred) {
    out.run = &RunMovePredicate;
    out.p = encoder.PredicateDestination(encoder.operand(0));
    out.q = encoder.PredicateSource(1);
    return;
  }
  if (BitsOf(type) < 16 || (IsFloat(type) && type != Type::kF32 && type != Type::kF64))
    encoder.BadType(type);
  if (encoder.operand(0).kind == OperandSyntax::Kind::kVector)
    return EncodeVectorMove(encoder, type, false);
  if (encoder.operand(1).kind == OperandSyntax::Kind::kVector)
    return EncodeVectorMove(encoder, type, true);
  out.run = Map<&Same>;
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
}

uint64_t WindowOf(Space space) {
  switch (space) {
    case Space::kShared:
      return kSharedWindow;
    case Space::kLocal:
      return kLocalWindow;
    case Space::kParam:
      return kParameterWindow;
    default:
      return 0;  // global and constant addresses are generic ones
  }
}

uint64_t ToGeneric(const Instruction& in, uint64_t address) { return address + WindowOf(in.space); }
uint64_t FromGeneric(const Instruction& in, uint64_t address) {
  return address - WindowOf(in.space);
}

Space TakeSpace(Encoder& encoder) {
  int index = encoder.TakeOneOf(
      {"global", "const", "shared", "local", "param", "shared::cta", "param::entry"});
  constexpr Space kSpaces[] = {Space::kGlobal, Space::kConst,  Space::kShared, Space::kLocal,
                               Space::kParam,  Space::kShared, Space::kParam};
  if (index >= 0) return kSpaces[index];
  encoder.Fail("a state space is missing");
  return Space::kGlobal;
}

void EncodeConvertAddress(Encoder& encoder) {
  bool to = encoder.Take("to");
  Instruction& out = encoder.out();
  out.space = TakeSpace(encoder);
  Type type = encoder.TakeType();
  if (type != Type::kU64 && type != Type::kB64) {
    if (type == Type::kU32) encoder.Unsupported("addresses of 32 bits are not supported");
    encoder.BadType(type);
  }
  encoder.ExpectOperands(2);
  out.d = encoder.Destination(0, Type::kU64);
  out.a = encoder.Source(1, Type::kU64);
  out.run = to ? Map<&FromGeneric> : Map<&ToGeneric>;
}

void RunIsInSpace(Warp& warp, const Instruction& in, LaneMask lanes) {
  const uint64_t* a = warp.Read(in.a);
  LaneMask result = 0;
  for (uint32_t lane : LanesOf(lanes)) {
    bool in_window = a[lane] >= kWindowsBegin && a[lane] < kWindowsEnd;
    uint64_t window = WindowOf(in.space);
    bool holds =
        window == 0 ? !in_window : a[lane] >= window && a[lane] - window < uint64_t{1} << 32;
    result |= LaneMask{holds} << lane;
  }
  warp.Write(in.p, lanes, result);
}

void EncodeIsInSpace(Encoder& encoder) {
  encoder.ExpectOperands(2);
  Instruction& out = encoder.out();
  out.run = &RunIsInSpace;
  out.space = TakeSpace(encoder);
  // Constant memory has no window of its own here.
  if (out.space == Space::kConst)
    encoder.Unsupported("isspacep of constant memory is not supported");
  out.p = encoder.PredicateDestination(encoder.operand(0));
  out.a = encoder.Source(1, Type::kU64);
}

constexpr OpcodeEntry kOpcodes[] = {
    {"mov", &EncodeMove},
    {"cvta", &EncodeConvertAddress},
    {"isspacep", &EncodeIsInSpace},
};

}  // namespace

std::span<const OpcodeEntry> MoveOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
