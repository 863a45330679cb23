// Implements the instructions that the lanes of a warp execute together: shfl, vote, match, redux,
// activemask, elect.
#include <algorithm>

#include "encoder.h"
#include "lanes.h"

namespace tfrt::gpu::ptx {
namespace {

// Waits for the lanes of the member mask in `in.b`-like operand `members`; without one, those that
// are here take part.
LaneMask Gather(Warp& warp, const Instruction& in, LaneMask lanes, bool has_members,
                Operand members) {
  return has_members ? warp.Collect(in, lanes, warp.Read(members)) : lanes;
}

// Operands behind the third, and the member mask last: they are in the list `extra`.
const std::vector<Operand>& More(Warp& warp, const Instruction& in) {
  return warp.launch().program().lists[in.extra];
}

enum ShuffleMode : uint8_t { kUp, kDown, kButterfly, kIndex };

// Takes the value of another lane of the segment; where there is none, its own one, and the
// predicate is false.
void RunShuffle(Warp& warp, const Instruction& in, LaneMask lanes) {
  const std::vector<Operand>& more = More(warp, in);
  lanes = Gather(warp, in, lanes, !more.empty(), more.empty() ? Operand() : more[0]);
  if (lanes == 0) return;
  uint64_t values[kWarpLanes];
  const uint64_t* a = warp.Read(in.a);
  std::copy_n(a, kWarpLanes, values);
  const uint64_t* b = warp.Read(in.b);
  const uint64_t* c = warp.Read(in.c);
  uint64_t* d = warp.Write(in.d);
  LaneMask inside = 0;
  for (uint32_t lane : LanesOf(lanes)) {
    int own = static_cast<int>(lane);
    int delta = static_cast<int>(b[lane] & 31), clamp = static_cast<int>(c[lane] & 31);
    int segment = static_cast<int>(c[lane] >> 8 & 31);
    int last = (own & segment) | (clamp & ~segment), first = own & segment;
    int from = 0;
    bool valid = false;
    switch (in.mode) {
      case kUp:
        from = own - delta;
        valid = from >= last;
        break;
      case kDown:
        from = own + delta;
        valid = from <= last;
        break;
      case kButterfly:
        from = own ^ delta;
        valid = from <= last;
        break;
      case kIndex:
        from = first | (delta & ~segment);
        valid = from <= last;
        break;
    }
    if (!valid) from = own;
    // The value from a lane that takes no part is undefined: it is all bits set here.
    bool present = (lanes >> from & 1) != 0;
    d[lane] = present ? values[from] : 0xffffffff;
    inside |= LaneMask{valid} << lane;
  }
  if (in.p.slot() != 0) warp.Write(in.p, lanes, inside);
}

void EncodeShuffle(Encoder& encoder) {
  bool sync = encoder.Take("sync");
  int mode = encoder.TakeOneOf({"up", "down", "bfly", "idx"});
  if (mode < 0) encoder.Fail(".up, .down, .bfly or .idx is missing");
  Type type = encoder.TakeType();
  if (BitsOf(type) != 32 || type == Type::kF16x2) encoder.BadType(type);
  encoder.ExpectOperands(sync ? 5 : 4);
  Instruction& out = encoder.out();
  out.run = &RunShuffle;
  out.mode = static_cast<uint8_t>(mode);
  const OperandSyntax& destination = encoder.operand(0);
  bool pair = destination.kind == OperandSyntax::Kind::kPair;
  out.d = encoder.Destination(pair ? destination.elements[0] : destination, type);
  out.p = pair ? encoder.PredicateDestination(destination.elements[1])
               : PredicateOperand::Make(0, false);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, Type::kU32);
  out.c = encoder.Source(3, Type::kU32);
  out.extra = encoder.AddList(sync ? std::vector<Operand>{encoder.Source(4, Type::kU32)}
                                   : std::vector<Operand>());
}

enum VoteMode : uint8_t { kAll, kAny, kUniform, kBallot };

void RunVote(Warp& warp, const Instruction& in, LaneMask lanes) {
  const std::vector<Operand>& more = More(warp, in);
  lanes = Gather(warp, in, lanes, !more.empty(), more.empty() ? Operand() : more[0]);
  // Lanes with different masks are different groups.
  const uint64_t* members = more.empty() ? nullptr : warp.Read(more[0]);
  LaneMask left = lanes;
  while (left != 0) {
    LaneMask group = left;
    if (members != nullptr) {
      group = left & static_cast<LaneMask>(members[std::countr_zero(left)]);
    }
    left &= ~group;
    LaneMask yes = warp.Read(in.q) & group;
    if (in.mode == kBallot) {
      uint64_t* d = warp.Write(in.d);
      for (uint32_t lane : LanesOf(group)) d[lane] = yes;
      continue;
    }
    bool result = in.mode == kAll   ? yes == group
                  : in.mode == kAny ? yes != 0
                                    : yes == group || yes == 0;
    warp.Write(in.p, group, result ? kAllLanes : 0);
  }
}

void EncodeVote(Encoder& encoder) {
  bool sync = encoder.Take("sync");
  int mode = encoder.TakeOneOf({"all", "any", "uni", "ballot"});
  if (mode < 0) encoder.Fail(".all, .any, .uni or .ballot is missing");
  Type type = encoder.TakeType();
  if (type != (mode == kBallot ? Type::kB32 : Type::kPred)) encoder.BadType(type);
  encoder.ExpectOperands(sync ? 3 : 2);
  Instruction& out = encoder.out();
  out.run = &RunVote;
  out.mode = static_cast<uint8_t>(mode);
  if (mode == kBallot) {
    out.d = encoder.Destination(0, type);
  } else {
    out.p = encoder.PredicateDestination(encoder.operand(0));
  }
  out.q = encoder.PredicateSource(1);
  out.extra = encoder.AddList(sync ? std::vector<Operand>{encoder.Source(2, Type::kU32)}
                                   : std::vector<Operand>());
}

// The lanes with the same value; .all: all lanes if all have the same, else none, and the predicate
// says so.
void RunMatch(Warp& warp, const Instruction& in, LaneMask lanes) {
  lanes = warp.Collect(in, lanes, warp.Read(in.b));
  if (lanes == 0) return;
  const uint64_t* members = warp.Read(in.b);
  const uint64_t* a = warp.Read(in.a);
  uint64_t results[kWarpLanes];
  LaneMask all_same = 0;
  for (uint32_t lane : LanesOf(lanes)) {
    LaneMask group = lanes & static_cast<LaneMask>(members[lane]);
    LaneMask same = 0;
    for (uint32_t other : LanesOf(group)) same |= LaneMask{a[other] == a[lane]} << other;
    bool all = same == group;
    results[lane] = in.mode == kAny || all ? same : 0;
    all_same |= LaneMask{all} << lane;
  }
  uint64_t* d = warp.Write(in.d);
  for (uint32_t lane : LanesOf(lanes)) d[lane] = results[lane];
  if (in.p.slot() != 0) warp.Write(in.p, lanes, all_same);
}

void EncodeMatch(Encoder& encoder) {
  int mode = encoder.TakeOneOf({"all", "any"});
  if (mode < 0) encoder.Fail(".any or .all is missing");
  if (!encoder.Take("sync")) encoder.Fail(".sync is missing");
  Type type = encoder.TakeType();
  if (type != Type::kB32 && type != Type::kB64) encoder.BadType(type);
  encoder.ExpectOperands(3);
  Instruction& out = encoder.out();
  out.run = &RunMatch;
  out.mode = mode == 0 ? kAll : kAny;
  const OperandSyntax& destination = encoder.operand(0);
  bool pair = destination.kind == OperandSyntax::Kind::kPair && mode == 0;
  out.d = encoder.Destination(pair ? destination.elements[0] : destination, Type::kB32);
  out.p = pair ? encoder.PredicateDestination(destination.elements[1])
               : PredicateOperand::Make(0, false);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, Type::kU32);
}

enum ReduceMode : uint8_t { kAdd, kMin, kMax, kAnd, kOr, kXor };

uint32_t Reduce(const Instruction& in, uint32_t a, uint32_t b) {
  bool is_signed = IsSigned(in.type);
  bool less = is_signed ? static_cast<int32_t>(a) < static_cast<int32_t>(b) : a < b;
  switch (in.mode) {
    case kAdd:
      return a + b;
    case kMin:
      return less ? a : b;
    case kMax:
      return less ? b : a;
    case kAnd:
      return a & b;
    case kOr:
      return a | b;
    default:
      return a ^ b;
  }
}

void RunReduce(Warp& warp, const Instruction& in, LaneMask lanes) {
  lanes = warp.Collect(in, lanes, warp.Read(in.b));
  if (lanes == 0) return;
  const uint64_t* members = warp.Read(in.b);
  const uint64_t* a = warp.Read(in.a);
  uint64_t results[kWarpLanes];
  for (uint32_t lane : LanesOf(lanes)) {
    LaneMask group = lanes & static_cast<LaneMask>(members[lane]);
    uint32_t result = static_cast<uint32_t>(a[std::countr_zero(group)]);
    for (uint32_t other : LanesOf(group & (group - 1)))
      result = Reduce(in, result, static_cast<uint32_t>(a[other]));
    results[lane] = result;
  }
  uint64_t* d = warp.Write(in.d);
  for (uint32_t lane : LanesOf(lanes)) d[lane] = results[lane];
}

void EncodeReduce(Encoder& encoder) {
  if (!encoder.Take("sync")) encoder.Fail(".sync is missing");
  int mode = encoder.TakeOneOf({"add", "min", "max", "and", "or", "xor"});
  if (mode < 0) encoder.Fail("an operation is missing");
  Type type = encoder.TakeType();
  bool fits = mode <= kMax ? type == Type::kU32 || type == Type::kS32 : type == Type::kB32;
  if (!fits) encoder.BadType(type);
  encoder.ExpectOperands(3);
  Instruction& out = encoder.out();
  out.run = &RunReduce;
  out.mode = static_cast<uint8_t>(mode);
  out.type = type;
  out.d = encoder.Destination(0, type);
  out.a = encoder.Source(1, type);
  out.b = encoder.Source(2, Type::kU32);
}

void RunActiveMask(Warp& warp, const Instruction& in, LaneMask lanes) {
  uint64_t* d = warp.Write(in.d);
  for (uint32_t lane : LanesOf(lanes)) d[lane] = lanes;
}

void EncodeActiveMask(Encoder& encoder) {
  Type type = encoder.TakeType();
  if (type != Type::kB32) encoder.BadType(type);
  encoder.ExpectOperands(1);
  encoder.out().run = &RunActiveMask;
  encoder.out().d = encoder.Destination(0, type);
}

// The lowest lane of the mask is the leader.
void RunElect(Warp& warp, const Instruction& in, LaneMask lanes) {
  lanes = warp.Collect(in, lanes, warp.Read(in.a));
  if (lanes == 0) return;
  const uint64_t* members = warp.Read(in.a);
  LaneMask leaders = 0;
  uint64_t results[kWarpLanes];
  for (uint32_t lane : LanesOf(lanes)) {
    uint32_t leader =
        static_cast<uint32_t>(std::countr_zero(lanes & static_cast<LaneMask>(members[lane])));
    results[lane] = leader;
    leaders |= LaneMask{leader == lane} << lane;
  }
  uint64_t* d = warp.Write(in.d);
  for (uint32_t lane : LanesOf(lanes)) d[lane] = results[lane];
  warp.Write(in.p, lanes, leaders);
}

void EncodeElect(Encoder& encoder) {
  if (!encoder.Take("sync")) encoder.Fail(".sync is missing");
  encoder.ExpectOperands(2);
  const OperandSyntax& destination = encoder.operand(0);
  if (destination.kind != OperandSyntax::Kind::kPair) {
    encoder.Fail("the destination is no pair");
    return;
  }
  Instruction& out = encoder.out();
  out.run = &RunElect;
  out.d = encoder.Destination(destination.elements[0], Type::kB32);
  out.p = encoder.PredicateDestination(destination.elements[1]);
  out.a = encoder.Source(1, Type::kU32);
}

constexpr OpcodeEntry kOpcodes[] = {
    {"shfl", &EncodeShuffle},          {"vote", &EncodeVote},
    {"match", &EncodeMatch},           {"redux", &EncodeReduce},
    {"activemask", &EncodeActiveMask}, {"elect", &EncodeElect},
};

}  // namespace

std::span<const OpcodeEntry> WarpOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
