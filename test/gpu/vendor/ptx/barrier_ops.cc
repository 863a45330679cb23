// Barriers of blocks and warps, and fences.
#include "block.h"
#include "encoder.h"
#include "lanes.h"

namespace tfrt::gpu::ptx {
namespace {

// a: the barrier; b: the number of threads, if `mode` says that there is one.
enum BarrierMode : uint8_t { kHasThreads = 1, kAligned = 2 };

template <Block::BarrierKind kKind>
void RunBarrier(Warp& warp, const Instruction& in, LaneMask lanes) {
  uint32_t first = static_cast<uint32_t>(std::countr_zero(lanes));
  Block::Arrival arrival;
  arrival.kind = kKind;
  arrival.aligned = (in.mode & kAligned) != 0;
  if (kKind >= Block::BarrierKind::kPopc) arrival.predicate = warp.Read(in.q);
  const uint64_t* barriers = warp.Read(in.a);
  const uint64_t* threads = (in.mode & kHasThreads) != 0 ? warp.Read(in.b) : nullptr;
  arrival.barrier = static_cast<uint32_t>(barriers[first]);
  arrival.threads = threads != nullptr ? static_cast<uint32_t>(threads[first]) : 0;
  // Lanes that name another barrier come to it afterwards.
  LaneMask same = 0;
  for (uint32_t lane : LanesOf(lanes)) {
    bool is_same = barriers[lane] == barriers[first] &&
                   (threads == nullptr || threads[lane] == threads[first]);
    same |= LaneMask{is_same} << lane;
  }
  if (threads != nullptr && arrival.threads == 0) {
    warp.Raise(FaultKind::kIllegalInstruction, in, first, "a barrier for 0 threads");
    return;
  }
  if (same != lanes) {
    if (arrival.aligned) {
      warp.Raise(FaultKind::kBarrierDivergence, in, first,
                 "lanes of a warp name different barriers");
      return;
    }
    warp.Keep(lanes & ~same);
  }
  warp.block().Arrive(warp, in, same, arrival);
}

Handler HandlerFor(Block::BarrierKind kind) {
  switch (kind) {
    case Block::BarrierKind::kSync:
      return &RunBarrier<Block::BarrierKind::kSync>;
    case Block::BarrierKind::kArrive:
      return &RunBarrier<Block::BarrierKind::kArrive>;
    case Block::BarrierKind::kPopc:
      return &RunBarrier<Block::BarrierKind::kPopc>;
    case Block::BarrierKind::kAnd:
      return &RunBarrier<Block::BarrierKind::kAnd>;
    case Block::BarrierKind::kOr:
      return &RunBarrier<Block::BarrierKind::kOr>;
  }
  return nullptr;
}

void RunWarpBarrier(Warp& warp, const Instruction& in, LaneMask lanes) {
  warp.Synchronize(in, lanes, warp.Read(in.a));
}

void EncodeReduction(Encoder& encoder) {
  Instruction& out = encoder.out();
  int op = encoder.TakeOneOf({"popc", "and", "or"});
  if (op < 0) encoder.Fail(".popc, .and or .or is missing");
  Type type = encoder.TakeType();
  if (type != (op == 0 ? Type::kU32 : Type::kPred)) encoder.BadType(type);
  out.type = type;
  out.run =
      HandlerFor(static_cast<Block::BarrierKind>(static_cast<int>(Block::BarrierKind::kPopc) + op));
  encoder.ExpectOperands(3, 4);
  if (op == 0) {
    out.d = encoder.Destination(0, Type::kU32);
  } else {
    out.p = encoder.PredicateDestination(encoder.operand(0));
  }
  out.a = encoder.Source(1, Type::kU32);
  if (encoder.num_operands() == 4) {
    out.mode |= kHasThreads;
    out.b = encoder.Source(2, Type::kU32);
  }
  out.q = encoder.PredicateSource(encoder.num_operands() - 1);
}

// bar.sync and barrier.sync.aligned are the same; barrier.sync is for lanes that come one by one.
void EncodeBarrier(Encoder& encoder) {
  Instruction& out = encoder.out();
  bool old_name = encoder.opcode() == "bar";
  if (old_name && encoder.Take("warp")) {
    if (!encoder.Take("sync")) encoder.Fail(".sync is missing");
    encoder.ExpectOperands(1);
    out.run = &RunWarpBarrier;
    out.a = encoder.Source(0, Type::kU32);
    return;
  }
  if (encoder.Has("cluster")) return encoder.Unsupported("clusters are not supported");
  encoder.Take("cta");
  bool aligned = encoder.Take("aligned") || old_name;
  if (aligned) out.mode |= kAligned;
  int kind = encoder.TakeOneOf({"sync", "arrive", "red"});
  if (kind < 0) encoder.Fail(".sync, .arrive or .red is missing");
  if (kind == 2) return EncodeReduction(encoder);
  out.run = HandlerFor(kind == 0 ? Block::BarrierKind::kSync : Block::BarrierKind::kArrive);
  encoder.ExpectOperands(kind == 0 ? 1 : 2, 2);
  out.a = encoder.Source(0, Type::kU32);
  if (encoder.num_operands() == 2) {
    out.mode |= kHasThreads;
    out.b = encoder.Source(1, Type::kU32);
  }
}

void RunFence(Warp& warp, const Instruction& in, LaneMask lanes) {
  warp.block().shared().Fence(warp.index());
}

void EncodeFence(Encoder& encoder) {
  bool old_name = encoder.opcode() == "membar";
  encoder.out().run = &RunFence;
  encoder.ExpectOperands(0);
  if (old_name) {
    if (encoder.TakeOneOf({"cta", "gl", "sys"}) < 0) encoder.Fail(".cta, .gl or .sys is missing");
    return;
  }
  encoder.TakeOneOf({"sc", "acq_rel", "acquire", "release"});
  if (encoder.TakeOneOf({"cta", "cluster", "gpu", "sys"}) < 0) {
    encoder.Has("proxy") || encoder.Has("mbarrier_init")
        ? encoder.Unsupported("such fences are not supported")
        : encoder.Fail("a scope is missing");
  }
}

constexpr OpcodeEntry kOpcodes[] = {
    {"bar", &EncodeBarrier},
    {"barrier", &EncodeBarrier},
    {"membar", &EncodeFence},
    {"fence", &EncodeFence},
};

}  // namespace

std::span<const OpcodeEntry> BarrierOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
