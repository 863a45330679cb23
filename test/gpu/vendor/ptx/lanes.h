#ifndef TFRT_TEST_GPU_VENDOR_PTX_LANES_H_
#define TFRT_TEST_GPU_VENDOR_PTX_LANES_H_

// Handlers made of functions of one lane: Map<Add<uint32_t>> is the handler that adds registers of
// 32 bits.

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "program.h"
#include "types.h"
#include "warp.h"

namespace tfrt::gpu::ptx {

// The unsigned integer of as many bits as T has.
template <class T>
using BitsType =
    std::conditional_t<sizeof(T) == 1, uint8_t,
                       std::conditional_t<sizeof(T) == 2, uint16_t,
                                          std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;

// A slot of a register holds a value's bits, and zeros above them.
template <class T>
T FromSlot(uint64_t slot) {
  return std::bit_cast<T>(static_cast<BitsType<T>>(slot));
}
template <class T>
uint64_t ToSlot(T value) {
  return std::bit_cast<BitsType<T>>(value);
}

// Calls function(lane) for each lane of the mask; a loop without holes, which compilers make
// vectors of, for all 32.
template <class F>
void ForEachLane(LaneMask lanes, F function) {
  if (lanes == kAllLanes) {
    for (uint32_t lane = 0; lane < kWarpLanes; ++lane) function(lane);
  } else {
    for (uint32_t lane : LanesOf(lanes)) function(lane);
  }
}

namespace internal {

template <auto kFunction, class Signature>
struct Mapper;

template <auto kFunction, class R, class A>
struct Mapper<kFunction, R (*)(A)> {
  static void Run(Warp& warp, const Instruction& in, LaneMask lanes) {
    const uint64_t* a = warp.Read(in.a);
    uint64_t* d = warp.Write(in.d);
    ForEachLane(lanes, [=](uint32_t i) { d[i] = ToSlot<R>(kFunction(FromSlot<A>(a[i]))); });
  }
};

template <auto kFunction, class R, class A, class B>
struct Mapper<kFunction, R (*)(A, B)> {
  static void Run(Warp& warp, const Instruction& in, LaneMask lanes) {
    const uint64_t* a = warp.Read(in.a);
    const uint64_t* b = warp.Read(in.b);
    uint64_t* d = warp.Write(in.d);
    ForEachLane(lanes, [=](uint32_t i) {
      d[i] = ToSlot<R>(kFunction(FromSlot<A>(a[i]), FromSlot<B>(b[i])));
    });
  }
};

template <auto kFunction, class R, class A, class B, class C>
struct Mapper<kFunction, R (*)(A, B, C)> {
  static void Run(Warp& warp, const Instruction& in, LaneMask lanes) {
    const uint64_t* a = warp.Read(in.a);
    const uint64_t* b = warp.Read(in.b);
    const uint64_t* c = warp.Read(in.c);
    uint64_t* d = warp.Write(in.d);
    ForEachLane(lanes, [=](uint32_t i) {
      d[i] = ToSlot<R>(kFunction(FromSlot<A>(a[i]), FromSlot<B>(b[i]), FromSlot<C>(c[i])));
    });
  }
};

// Functions that look at the instruction: its rounding, its mode.
template <auto kFunction, class R, class A>
struct Mapper<kFunction, R (*)(const Instruction&, A)> {
  static void Run(Warp& warp, const Instruction& in, LaneMask lanes) {
    const uint64_t* a = warp.Read(in.a);
    uint64_t* d = warp.Write(in.d);
    ForEachLane(lanes,
                [=, &in](uint32_t i) { d[i] = ToSlot<R>(kFunction(in, FromSlot<A>(a[i]))); });
  }
};

template <auto kFunction, class R, class A, class B>
struct Mapper<kFunction, R (*)(const Instruction&, A, B)> {
  static void Run(Warp& warp, const Instruction& in, LaneMask lanes) {
    const uint64_t* a = warp.Read(in.a);
    const uint64_t* b = warp.Read(in.b);
    uint64_t* d = warp.Write(in.d);
    ForEachLane(lanes, [=, &in](uint32_t i) {
      d[i] = ToSlot<R>(kFunction(in, FromSlot<A>(a[i]), FromSlot<B>(b[i])));
    });
  }
};

template <auto kFunction, class R, class A, class B, class C>
struct Mapper<kFunction, R (*)(const Instruction&, A, B, C)> {
  static void Run(Warp& warp, const Instruction& in, LaneMask lanes) {
    const uint64_t* a = warp.Read(in.a);
    const uint64_t* b = warp.Read(in.b);
    const uint64_t* c = warp.Read(in.c);
    uint64_t* d = warp.Write(in.d);
    ForEachLane(lanes, [=, &in](uint32_t i) {
      d[i] = ToSlot<R>(kFunction(in, FromSlot<A>(a[i]), FromSlot<B>(b[i]), FromSlot<C>(c[i])));
    });
  }
};

}  // namespace internal

template <auto kFunction>
constexpr Handler Map = &internal::Mapper<kFunction, decltype(kFunction)>::Run;

// Op<T>::Run for the T of an integer type of 16 to 64 bits, null for others.
template <template <class> class Op>
Handler ForInteger(Type type) {
  switch (type) {
    case Type::kU16:
      return Map<&Op<uint16_t>::Run>;
    case Type::kU32:
      return Map<&Op<uint32_t>::Run>;
    case Type::kU64:
      return Map<&Op<uint64_t>::Run>;
    case Type::kS16:
      return Map<&Op<int16_t>::Run>;
    case Type::kS32:
      return Map<&Op<int32_t>::Run>;
    case Type::kS64:
      return Map<&Op<int64_t>::Run>;
    default:
      return nullptr;
  }
}

// As above, for b16, b32 and b64.
template <template <class> class Op>
Handler ForBits(Type type) {
  switch (type) {
    case Type::kB16:
      return Map<&Op<uint16_t>::Run>;
    case Type::kB32:
      return Map<&Op<uint32_t>::Run>;
    case Type::kB64:
      return Map<&Op<uint64_t>::Run>;
    default:
      return nullptr;
  }
}

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_LANES_H_
