// Atomic operations on memory: atom, and red, which gives nothing back.
#include <algorithm>

#include "access_syntax.h"
#include "block.h"
#include "encoder.h"
#include "lanes.h"
#include "rounding.h"

namespace tfrt::gpu::ptx {
namespace {

enum AtomicOp : uint8_t { kAnd, kOr, kXor, kCas, kExch, kAdd, kInc, kDec, kMin, kMax };

// Returns the value that the operation makes of an old value and its operands.
template <class T>
T Combine(AtomicOp op, T old, T b, T c) {
  switch (op) {
    case kAnd:
    case kOr:
    case kXor:
      if constexpr (std::is_integral_v<T>)
        return op == kAnd ? old & b : op == kOr ? old | b : old ^ b;
      return old;
    case kCas:
      return old == b ? c : old;
    case kExch:
      return b;
    case kAdd:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(uint64_t(old) + uint64_t(b));
      } else {
        return Canonical(old + b);
      }
    case kInc:
      return old >= b ? T(0) : static_cast<T>(old + 1);
    case kDec:
      return old == T(0) || old > b ? b : static_cast<T>(old - 1);
    case kMin:
      return std::min(old, b);
    case kMax:
      return std::max(old, b);
  }
  return old;
}

template <class T>
struct PlainValue {
  using Bits = BitsType<T>;
  static Bits Apply(AtomicOp op, Bits old, Bits b, Bits c) {
    return std::bit_cast<Bits>(
        Combine(op, std::bit_cast<T>(old), std::bit_cast<T>(b), std::bit_cast<T>(c)));
  }
};
// Atomic additions of singles in global memory flush subnormal numbers, as the documentation says.
struct FlushingSingle {
  using Bits = uint32_t;
  static Bits Apply(AtomicOp, Bits old, Bits b, Bits) {
    float sum = Flush(std::bit_cast<float>(old)) + Flush(std::bit_cast<float>(b));
    return std::bit_cast<Bits>(Flush(Canonical(sum)));
  }
};
template <class F>
struct HalfValue {
  using Bits = uint16_t;
  static Bits Apply(AtomicOp op, Bits old, Bits b, Bits c) {
    if (op != kAdd) return op == kExch ? b : old == b ? c : old;
    return static_cast<Bits>(F::Narrow(AddToOdd(F::Widen(old), F::Widen(b)), Rounding::kNearest));
  }
};
template <class F>
struct HalfPair {
  using Bits = uint32_t;
  static Bits Apply(AtomicOp op, Bits old, Bits b, Bits c) {
    auto low = HalfValue<F>::Apply(op, static_cast<uint16_t>(old), static_cast<uint16_t>(b), 0);
    auto high = HalfValue<F>::Apply(op, static_cast<uint16_t>(old >> 16),
                                    static_cast<uint16_t>(b >> 16), 0);
    return low | uint32_t{high} << 16;
  }
};

template <class V>
void RunAtomic(Warp& warp, const Instruction& in, LaneMask lanes) {
  using Bits = typename V::Bits;
  auto op = static_cast<AtomicOp>(in.mode);
  if (in.fence) warp.block().shared().Fence(warp.index());
  const uint64_t* base = warp.Read(in.a);
  const uint64_t* b = warp.Read(in.b);
  const uint64_t* c = op == kCas ? warp.Read(in.c) : b;
  uint64_t results[kWarpLanes];
  for (uint32_t lane : LanesOf(lanes)) {
    std::byte* bytes = warp.Access(in, lane, base[lane] + static_cast<uint64_t>(in.offset),
                                   sizeof(Bits), Access::kAtomic);
    if (bytes == nullptr) return;
    // Launches on other threads may use the same word; a fence of the program orders other memory,
    // not this.
    auto* word = reinterpret_cast<Bits*>(bytes);
    Bits old = __atomic_load_n(word, __ATOMIC_RELAXED);
    Bits wanted;
    do {
      wanted = V::Apply(op, old, static_cast<Bits>(b[lane]), static_cast<Bits>(c[lane]));
    } while (
        !__atomic_compare_exchange_n(word, &old, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    results[lane] = old;
  }
  if (in.fence) warp.block().shared().Fence(warp.index());
  if (in.count == 0) return;  // red
  uint64_t* d = warp.Write(in.d);
  for (uint32_t lane : LanesOf(lanes)) d[lane] = results[lane];
}

Handler IntegerHandler(AtomicOp op, Type type) {
  switch (op) {
    case kAnd:
    case kOr:
    case kXor:
    case kExch:
    case kCas:
      if (type == Type::kB16 && op == kCas) return &RunAtomic<PlainValue<uint16_t>>;
      if (type == Type::kB32) return &RunAtomic<PlainValue<uint32_t>>;
      if (type == Type::kB64) return &RunAtomic<PlainValue<uint64_t>>;
      return nullptr;
    case kInc:
    case kDec:
      return type == Type::kU32 ? &RunAtomic<PlainValue<uint32_t>> : nullptr;
    case kAdd:
      if (type == Type::kU64) return &RunAtomic<PlainValue<uint64_t>>;
      if (type == Type::kU32 || type == Type::kS32) return &RunAtomic<PlainValue<uint32_t>>;
      return nullptr;
    case kMin:
    case kMax:
      if (type == Type::kU32) return &RunAtomic<PlainValue<uint32_t>>;
      if (type == Type::kS32) return &RunAtomic<PlainValue<int32_t>>;
      if (type == Type::kU64) return &RunAtomic<PlainValue<uint64_t>>;
      if (type == Type::kS64) return &RunAtomic<PlainValue<int64_t>>;
      return nullptr;
  }
  return nullptr;
}

Handler FloatHandler(AtomicOp op, Type type, Space space) {
  if (op != kAdd) return nullptr;
  switch (type) {
    case Type::kF32:
      return space == Space::kShared ? &RunAtomic<PlainValue<float>> : &RunAtomic<FlushingSingle>;
    case Type::kF64:
      return &RunAtomic<PlainValue<double>>;
    case Type::kF16:
      return &RunAtomic<HalfValue<Half>>;
    case Type::kBF16:
      return &RunAtomic<HalfValue<BFloat>>;
    case Type::kF16x2:
      return &RunAtomic<HalfPair<Half>>;
    case Type::kBF16x2:
      return &RunAtomic<HalfPair<BFloat>>;
    default:
      return nullptr;
  }
}

void EncodeAtomic(Encoder& encoder) {
  bool gives_back = encoder.opcode() == "atom";
  Instruction& out = encoder.out();
  TakeOrder(encoder);
  out.strong = true;
  Space space = TakeOptionalSpace(encoder);
  int op =
      encoder.TakeOneOf({"and", "or", "xor", "cas", "exch", "add", "inc", "dec", "min", "max"});
  if (op < 0 || (!gives_back && (op == kCas || op == kExch))) {
    encoder.Fail("an operation is missing");
    return;
  }
  encoder.Take("noftz");  // of halves, which are not flushed
  Type type = encoder.TakeType();
  if (space != Space::kGeneric && space != Space::kGlobal && space != Space::kShared) {
    encoder.Fail("an atomic operation in ." + std::string(SpaceName(space)) + " memory");
  }
  out.mode = static_cast<uint8_t>(op);
  out.count = gives_back ? 1 : 0;
  size_t first = gives_back ? 1 : 0;
  encoder.ExpectOperands(first + (op == kCas ? 3 : 2));
  encoder.Address(first, space);
  auto atomic_op = static_cast<AtomicOp>(op);
  out.run =
      IsFloat(type) ? FloatHandler(atomic_op, type, out.space) : IntegerHandler(atomic_op, type);
  if (out.run == nullptr) encoder.BadType(type);
  bool small = IsFloat(type) && type != Type::kF32 && type != Type::kF64;
  Type operand = !small ? type : BitsOf(type) == 16 ? Type::kB16 : Type::kB32;
  if (gives_back) out.d = encoder.Destination(0, operand);
  out.b = encoder.Source(first + 1, operand);
  if (op == kCas) out.c = encoder.Source(first + 2, operand);
}

constexpr OpcodeEntry kOpcodes[] = {{"atom", &EncodeAtomic}, {"red", &EncodeAtomic}};

}  // namespace

std::span<const OpcodeEntry> AtomicOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
