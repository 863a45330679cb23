// Loads and stores.
#include <algorithm>
#include <cstring>

#include "access_syntax.h"
#include "block.h"
#include "encoder.h"
#include "lanes.h"

namespace tfrt::gpu::ptx {
namespace {

template <class T>
T LoadElement(const std::byte* bytes, bool strong) {
  T value;
  if (strong) {
    // Another launch may write at the same time, on another thread; orders nothing, as fences do
    // that.
    return __atomic_load_n(reinterpret_cast<const T*>(bytes), __ATOMIC_RELAXED);
  }
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}
template <class T>
void StoreElement(std::byte* bytes, T value, bool strong) {
  if (strong) {
    __atomic_store_n(reinterpret_cast<T*>(bytes), value, __ATOMIC_RELAXED);
  } else {
    std::memcpy(bytes, &value, sizeof(T));
  }
}

// Extends a value to a register of `width` bits, with its sign if T has one.
template <class T>
uint64_t Extend(T value, uint8_t width) {
  if constexpr (!std::is_signed_v<T>) return value;
  auto extended = static_cast<uint64_t>(static_cast<int64_t>(value));
  return width >= 64 ? extended : extended & ((uint64_t{1} << width) - 1);
}

// Where the elements of a load go: the list of a vector, or d. `mode` is the width of these
// registers.
const Operand* Elements(Warp& warp, const Instruction& in, const Operand& scalar) {
  return in.count == 1 ? &scalar : warp.launch().program().lists[in.extra].data();
}

template <class T>
void RunLoad(Warp& warp, const Instruction& in, LaneMask lanes) {
  if (in.fence) warp.block().shared().Fence(warp.index());
  uint64_t addresses[kWarpLanes];  // a destination may be the address
  const uint64_t* base = warp.Read(in.a);
  ForEachLane(lanes, [&](uint32_t lane) {
    addresses[lane] = base[lane] + static_cast<uint64_t>(in.offset);
  });
  const Operand* elements = Elements(warp, in, in.d);
  uint64_t* targets[8];
  for (uint32_t i = 0; i < in.count; ++i) targets[i] = warp.Write(elements[i]);
  uint32_t size = static_cast<uint32_t>(sizeof(T)) * in.count;
  for (uint32_t lane : LanesOf(lanes)) {
    std::byte* bytes = warp.Access(in, lane, addresses[lane], size, Access::kRead);
    if (bytes == nullptr) return;
    for (uint32_t i = 0; i < in.count; ++i) {
      targets[i][lane] = Extend(LoadElement<T>(bytes + i * sizeof(T), in.strong), in.mode);
    }
  }
}

template <class T>
void RunStore(Warp& warp, const Instruction& in, LaneMask lanes) {
  if (in.fence) warp.block().shared().Fence(warp.index());
  const uint64_t* base = warp.Read(in.a);
  const Operand* elements = Elements(warp, in, in.b);
  const uint64_t* sources[8];
  for (uint32_t i = 0; i < in.count; ++i) sources[i] = warp.Read(elements[i]);
  uint32_t size = static_cast<uint32_t>(sizeof(T)) * in.count;
  for (uint32_t lane : LanesOf(lanes)) {
    T values[8];
    for (uint32_t i = 0; i < in.count; ++i) values[i] = static_cast<T>(sources[i][lane]);
    std::byte* bytes = warp.Access(in, lane, base[lane] + static_cast<uint64_t>(in.offset), size,
                                   Access::kWrite, values);
    if (bytes == nullptr) return;
    for (uint32_t i = 0; i < in.count; ++i)
      StoreElement(bytes + i * sizeof(T), values[i], in.strong);
  }
}

Handler LoadHandler(Type type) {
  switch (BitsOf(type)) {
    case 8:
      return IsSigned(type) ? &RunLoad<int8_t> : &RunLoad<uint8_t>;
    case 16:
      return IsSigned(type) ? &RunLoad<int16_t> : &RunLoad<uint16_t>;
    case 32:
      return IsSigned(type) ? &RunLoad<int32_t> : &RunLoad<uint32_t>;
    default:
      return &RunLoad<uint64_t>;
  }
}
Handler StoreHandler(Type type) {
  switch (BitsOf(type)) {
    case 8:
      return &RunStore<uint8_t>;
    case 16:
      return &RunStore<uint16_t>;
    case 32:
      return &RunStore<uint32_t>;
    default:
      return &RunStore<uint64_t>;
  }
}

// The elements of the value operand, one or a vector of `count`.
void TakeElements(Encoder& encoder, size_t index, Type type, bool loads) {
  const OperandSyntax& value = encoder.operand(index);
  Instruction& out = encoder.out();
  if (out.count == 1) {
    if (loads) {
      out.d = encoder.Destination(value, type, true);
      out.mode = static_cast<uint8_t>(Encoder::RegisterBits(value));
    } else {
      out.b = encoder.Source(value, type, true);
    }
    return;
  }
  if (value.kind != OperandSyntax::Kind::kVector || value.elements.size() != out.count) {
    encoder.Fail("a vector of " + std::to_string(out.count) + " elements is missing");
    return;
  }
  std::vector<Operand> elements;
  for (const OperandSyntax& element : value.elements) {
    elements.push_back(loads ? encoder.Destination(element, type, true)
                             : encoder.Source(element, type, true));
    if (loads)
      out.mode = static_cast<uint8_t>(std::max<int>(out.mode, Encoder::RegisterBits(element)));
  }
  out.extra = encoder.AddList(std::move(elements));
}

void EncodeAccess(Encoder& encoder) {
  bool loads = encoder.opcode() != "st";
  Instruction& out = encoder.out();
  if (encoder.opcode() == "ldu") encoder.Take("global");
  TakeOrder(encoder);
  Space space = TakeOptionalSpace(encoder);
  if (encoder.opcode() == "ldu") space = Space::kGlobal;
  out.non_coherent = encoder.opcode() == "ldu" || encoder.Has("nc");
  IgnoreCacheHints(encoder);
  int vector = encoder.TakeOneOf({"v2", "v4"});
  out.count = vector < 0 ? 1 : vector == 0 ? 2 : 4;
  Type type = encoder.TakeType();
  bool single = type != Type::kPred && type != Type::kTF32 && BitsOf(type) > 0 &&
                type != Type::kU16x2 && type != Type::kS16x2;
  if (!single || (IsFloat(type) && type != Type::kF32 && type != Type::kF64)) encoder.BadType(type);
  if (BitsOf(type) * out.count > 128) encoder.Fail("a vector of more than 128 bits");
  encoder.ExpectOperands(2);
  out.type = type;
  out.run = loads ? LoadHandler(type) : StoreHandler(type);
  encoder.Address(loads ? 1 : 0, space);
  if (!loads && out.space == Space::kConst) encoder.Fail("a store to constant memory");
  TakeElements(encoder, loads ? 0 : 1, type, loads);
}

void RunNothing(Warp& warp, const Instruction& in, LaneMask lanes) {}

// Hints about caches change nothing that a program can see.
void EncodePrefetch(Encoder& encoder) {
  TakeOptionalSpace(encoder);
  if (encoder.TakeOneOf({"L1", "L2", "L2::evict_last", "L2::evict_normal"}) < 0)
    encoder.Fail("a cache is missing");
  encoder.Take("tensormap");
  encoder.out().run = &RunNothing;
  encoder.ExpectOperands(1);
}

constexpr OpcodeEntry kOpcodes[] = {
    {"ld", &EncodeAccess},         {"ldu", &EncodeAccess},         {"st", &EncodeAccess},
    {"prefetch", &EncodePrefetch}, {"prefetchu", &EncodePrefetch},
};

}  // namespace

void TakeOrder(Encoder& encoder) {
  Instruction& out = encoder.out();
  int order =
      encoder.TakeOneOf({"weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"});
  out.strong = order > 0;
  out.fence = order >= 3 && order <= 5;
  int scope = encoder.TakeOneOf({"cta", "cluster", "gpu", "sys"});
  if (scope >= 0 && order == 1) encoder.Fail("a scope of a volatile access");
}

Space TakeOptionalSpace(Encoder& encoder) {
  int index = encoder.TakeOneOf({"global", "const", "shared", "local", "param", "shared::cta",
                                 "param::entry", "param::func"});
  constexpr Space kSpaces[] = {Space::kGlobal, Space::kConst,  Space::kShared, Space::kLocal,
                               Space::kParam,  Space::kShared, Space::kParam,  Space::kParam};
  return index < 0 ? Space::kGeneric : kSpaces[index];
}

void IgnoreCacheHints(Encoder& encoder) {
  encoder.TakeOneOf({"ca", "cg", "cs", "lu", "cv", "nc", "wb", "wt"});
  encoder.Take("nc");
  encoder.TakeOneOf({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last",
                     "L1::no_allocate"});
  encoder.TakeOneOf({"L2::64B", "L2::128B", "L2::256B"});
}

std::span<const OpcodeEntry> MemoryOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
