// Branches, calls, and how lanes end.
#include "encoder.h"
#include "lanes.h"

namespace tfrt::gpu::ptx {
namespace {

void RunBranch(Warp& warp, const Instruction& in, LaneMask lanes) { warp.Branch(lanes, in.extra); }

void EncodeBranch(Encoder& encoder) {
  encoder.Take("uni");
  encoder.ExpectOperands(1);
  encoder.out().run = &RunBranch;
  const OperandSyntax& target = encoder.operand(0);
  if (target.kind != OperandSyntax::Kind::kSymbol || target.negated) {
    encoder.Fail("the target is no label");
    return;
  }
  encoder.builder().UseLabel(target.name, encoder.syntax().line,
                             static_cast<uint32_t>(encoder.builder().program().code.size()));
}

void RunIndexedBranch(Warp& warp, const Instruction& in, LaneMask lanes) {
  const std::vector<uint32_t>& table = warp.launch().program().branch_tables[in.extra];
  const uint64_t* index = warp.Read(in.a);
  uint32_t targets[kWarpLanes] = {};
  for (uint32_t lane : LanesOf(lanes)) {
    if (index[lane] >= table.size()) {
      warp.Raise(FaultKind::kIllegalInstruction, in, lane,
                 "target " + std::to_string(index[lane]) + " of " + std::to_string(table.size()));
      return;
    }
    targets[lane] = table[index[lane]];
  }
  warp.BranchEach(lanes, targets);
}

void EncodeIndexedBranch(Encoder& encoder) {
  if (!encoder.Take("idx")) encoder.Fail(".idx is missing");
  encoder.Take("uni");
  encoder.ExpectOperands(2);
  encoder.out().run = &RunIndexedBranch;
  encoder.out().a = encoder.Source(0, Type::kU32);
  encoder.builder().UseBranchTable(encoder.operand(1).name, encoder.syntax().line,
                                   static_cast<uint32_t>(encoder.builder().program().code.size()));
}

void RunCall(Warp& warp, const Instruction& in, LaneMask lanes) {
  const Program& program = warp.launch().program();
  const CallSite& site = program.calls[in.extra];
  if (site.function != CallSite::kIndirect) {
    warp.Call(in, site, site.function, lanes);
    return;
  }
  // Lanes that call the function of the first one go; the others come back to this instruction.
  const uint64_t* targets = warp.Read(site.target);
  uint32_t first = static_cast<uint32_t>(std::countr_zero(lanes));
  LaneMask same = 0;
  for (uint32_t lane : LanesOf(lanes)) same |= LaneMask{targets[lane] == targets[first]} << lane;
  uint64_t offset = targets[first] - FunctionAddress(0);
  if (offset % 16 != 0 || offset / 16 >= program.functions.size() ||
      program.functions[offset / 16].kind == Function::Kind::kEntry) {
    warp.Raise(FaultKind::kIllegalInstruction, in, first,
               "a call through an address that is no function's", targets[first]);
    return;
  }
  if (same != lanes) {
    warp.Keep(lanes & ~same);
    lanes = same;
  }
  warp.Call(in, site, static_cast<uint32_t>(offset / 16), lanes);
}

// Takes an argument or a result of a call: a register, a predicate, a constant, or a .param of the
// caller's frame.
CallSite::Value TakeValue(Encoder& encoder, const OperandSyntax& operand,
                          const FormalParameter& formal, bool is_result) {
  CallSite::Value value;
  value.type = formal.type;
  bool in_frame =
      operand.kind == OperandSyntax::Kind::kSymbol && operand.symbol.kind == Symbol::Kind::kFrame;
  if (!formal.in_register) {
    if (!in_frame || operand.symbol.space != Space::kParam) {
      encoder.Fail("'" + std::string(operand.name) + "' is no .param variable of this function");
      return value;
    }
    if (operand.symbol.size != formal.size) {
      encoder.Fail("'" + std::string(operand.name) + "' has " +
                   std::to_string(operand.symbol.size) + " bytes, where the function takes " +
                   std::to_string(formal.size));
    }
    value.in_frame = true;
    value.offset = operand.symbol.index;
    value.size = operand.symbol.size;
  } else if (formal.type == Type::kPred) {
    value.predicate =
        is_result ? encoder.PredicateDestination(operand) : encoder.PredicateSource(operand);
  } else {
    value.operand = is_result ? encoder.Destination(operand, formal.type)
                              : encoder.Source(operand, formal.type);
  }
  return value;
}

void TakeValues(Encoder& encoder, const OperandSyntax* list,
                const std::vector<FormalParameter>& formals, bool are_results,
                std::vector<CallSite::Value>& values) {
  size_t count = list == nullptr ? 0 : list->elements.size();
  if (count != formals.size()) {
    encoder.Fail(std::to_string(count) + (are_results ? " results" : " arguments") +
                 ", where the function has " + std::to_string(formals.size()));
    return;
  }
  for (size_t i = 0; i < count; ++i) {
    values.push_back(TakeValue(encoder, list->elements[i], formals[i], are_results));
  }
}

// call [(results),] function [, (arguments)] [, prototype];
void EncodeCall(Encoder& encoder) {
  encoder.Take("uni");
  Instruction& out = encoder.out();
  out.run = &RunCall;
  size_t next = 0;
  auto take_list = [&]() -> const OperandSyntax* {
    bool is_list =
        next < encoder.num_operands() && encoder.operand(next).kind == OperandSyntax::Kind::kList;
    return is_list ? &encoder.operand(next++) : nullptr;
  };
  const OperandSyntax* results = take_list();
  const OperandSyntax& target = encoder.operand(next++);
  const OperandSyntax* arguments = take_list();
  CallSite site;
  Symbol callee = target.symbol;
  if (target.IsRegister()) {
    site.target = encoder.Source(target, Type::kB64);
    callee = encoder.operand(next++).symbol;
    if (callee.kind != Symbol::Kind::kPrototype)
      return encoder.Fail("a prototype of the function is missing");
  } else if (callee.kind == Symbol::Kind::kFunction) {
    site.function = callee.index;
    encoder.builder().UseFunction(callee.index);
  } else {
    return encoder.Fail("'" + std::string(target.name) + "' is no function");
  }
  encoder.ExpectOperands(next);
  const Function& function = encoder.builder().program().functions[callee.index];
  if (function.kind == Function::Kind::kEntry)
    return encoder.Unsupported("calls of kernels are not supported");
  TakeValues(encoder, results, function.results, true, site.results);
  TakeValues(encoder, arguments, function.parameters, false, site.arguments);
  out.extra = static_cast<uint32_t>(encoder.builder().program().calls.size());
  encoder.builder().program().calls.push_back(std::move(site));
}

void RunReturn(Warp& warp, const Instruction& in, LaneMask lanes) { warp.Return(lanes); }
void EncodeReturn(Encoder& encoder) {
  encoder.Take("uni");
  encoder.ExpectOperands(0);
  encoder.out().run = &RunReturn;
}

void RunExit(Warp& warp, const Instruction& in, LaneMask lanes) { warp.Exit(lanes); }
void EncodeExit(Encoder& encoder) {
  encoder.ExpectOperands(0);
  encoder.out().run = &RunExit;
}

void RunTrap(Warp& warp, const Instruction& in, LaneMask lanes) {
  warp.Raise(FaultKind::kTrap, in, static_cast<uint32_t>(std::countr_zero(lanes)),
             "the program stops itself");
}
void EncodeTrap(Encoder& encoder) {
  encoder.ExpectOperands(0);
  encoder.out().run = &RunTrap;
}

// Hints to a debugger, a profiler or the scheduler.
void RunNothing(Warp& warp, const Instruction& in, LaneMask lanes) {}
void EncodeHint(Encoder& encoder) {
  encoder.TakeOptionalType();
  encoder.Take("mask");
  encoder.TakeOneOf({"launch_dependents", "wait"});
  encoder.out().run = &RunNothing;
}

constexpr OpcodeEntry kOpcodes[] = {
    {"bra", &EncodeBranch},          {"brx", &EncodeIndexedBranch}, {"call", &EncodeCall},
    {"ret", &EncodeReturn},          {"exit", &EncodeExit},         {"trap", &EncodeTrap},
    {"brkpt", &EncodeHint},          {"nanosleep", &EncodeHint},    {"pmevent", &EncodeHint},
    {"griddepcontrol", &EncodeHint},
};

}  // namespace

std::span<const OpcodeEntry> ControlOpcodes() { return kOpcodes; }

}  // namespace tfrt::gpu::ptx
