// -gpu-tfrt-streamify: ops of the gpu dialect as kernels on the stream that their token is of.

#include "dialects/tfrt_dht/tfrt_dht_dialect.h"
#include "gpu_data.h"
#include "gpu_passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::gpu {

#define GEN_PASS_DEF_GPUSTREAMIFYPASS
#include "lib/compiler/gpu_passes.h.inc"

namespace {

using mlir::MemRefType;
using mlir::Operation;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;
namespace memref = mlir::memref;

// Memory of a device, of which a memref is a cast.
Value bufferOf(KernelBuilder& builder, Value memory) {
  if (auto cast = memory.getDefiningOp<mlir::UnrealizedConversionCastOp>()) {
    if (cast.getInputs().size() == 1 && mlir::isa<BufferType>(cast.getInputs().front().getType())) {
      return cast.getInputs().front();
    }
  }
  return builder.cast(memory, BufferType::get(builder.getContext())).getResult(0);
}

// The values that an op's tokens stand for, together. The stream is null if no token is of one; its
// chain is the first.
struct Dependencies {
  Value stream;
  llvm::SmallVector<Value> chains;
  llvm::SmallVector<Value> events;
};
// Empty if there are no tokens, several streams, or values that are no such token.
std::optional<Dependencies> dependenciesOf(mlir::gpu::AsyncOpInterface op) {
  Dependencies found;
  for (Value token : op.getAsyncDependencies()) {
    std::optional<TokenParts> parts = partsOf(token);
    if (!parts || (parts->isOfStream() && found.stream)) return std::nullopt;
    if (parts->isOfStream()) {
      found.stream = parts->second;
      found.chains.insert(found.chains.begin(), parts->chain);
    } else {
      found.chains.push_back(parts->chain);
      found.events.push_back(parts->second);
    }
  }
  return found.chains.empty() ? std::nullopt : std::optional(found);
}

// The chain of a stream behind all that the tokens stand for.
Value waitFor(KernelBuilder& builder, const Dependencies& dependencies, Value stream) {
  Value chain = builder.mergeChains(dependencies.chains);
  for (Value event : dependencies.events) {
    chain = builder.makeChain("tfrt_gpu.stream.wait", {stream, event, chain});
  }
  return chain;
}

// The stream and the chain for the op's work. Empty unless the op is asynchronous, and its first
// dependency is of a stream.
std::optional<TokenParts> streamOf(mlir::gpu::AsyncOpInterface op) {
  std::optional<Dependencies> dependencies = dependenciesOf(op);
  if (!op.getAsyncToken() || !dependencies ||
      !partsOf(op.getAsyncDependencies().front())->isOfStream()) {
    return std::nullopt;
  }
  KernelBuilder builder(op);
  return TokenParts{waitFor(builder, *dependencies, dependencies->stream), dependencies->stream};
}

// Each function returns false if it leaves the op as it is.

// Work that is none: what depends on the op depends on what the op depends on.
void keepToken(mlir::gpu::AsyncOpInterface op, const TokenParts& parts) {
  Value token = op.getAsyncDependencies().front();
  if (partsOf(token)->chain != parts.chain) {
    token = KernelBuilder(op).makeToken(parts.chain, parts.second);
  }
  op.getAsyncToken().replaceAllUsesWith(token);
  op->erase();
}

bool convert(mlir::gpu::AllocOp op) {
  std::optional<int64_t> size = sizeOf(op.getType());
  if (!size || op.getHostShared()) return false;
  std::optional<TokenParts> parts = streamOf(op);
  if (!parts) return false;
  KernelBuilder builder(op);
  Value context = builder.makeOne<ContextType>("tfrt_gpu.stream.get_context", parts->second);
  Value allocator = builder.makeOne<AllocatorType>("tfrt_gpu.allocator.create", context);
  Value bytes = builder.makeConstant(builder.getI64Type(), *size);
  Value buffer = builder.makeOne<BufferType>("tfrt_gpu.mem.allocate",
                                             {allocator, parts->second, bytes, parts->chain});
  op.getMemref().replaceAllUsesWith(builder.cast(buffer, op.getType()).getResult(0));
  keepToken(op, *parts);
  return true;
}

// The op's token is now that of its stream and a kernel's chain.
void replaceToken(KernelBuilder& builder, mlir::gpu::AsyncOpInterface op, Value chain,
                  Value stream) {
  op.getAsyncToken().replaceAllUsesWith(builder.makeToken(chain, stream));
  op->erase();
}

bool convert(mlir::gpu::DeallocOp op) {
  std::optional<TokenParts> parts = streamOf(op);
  if (!parts) return false;
  KernelBuilder builder(op);
  Value buffer = bufferOf(builder, op.getMemref());
  Value chain = builder.makeChain("tfrt_gpu.mem.deallocate", {buffer, parts->second, parts->chain});
  replaceToken(builder, op, chain, parts->second);
  return true;
}

bool convert(mlir::gpu::MemsetOp op) {
  Type type = op.getValue().getType();
  if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() != 32) return false;
  std::optional<TokenParts> parts = streamOf(op);
  if (!parts) return false;
  KernelBuilder builder(op);
  Value buffer = bufferOf(builder, op.getDst());
  Value chain =
      builder.makeChain("tfrt_gpu.mem.set", {buffer, op.getValue(), parts->second, parts->chain});
  replaceToken(builder, op, chain, parts->second);
  return true;
}

bool convert(mlir::gpu::MemcpyOp op) {
  std::optional<TokenParts> parts = streamOf(op);
  if (!parts) return false;
  auto type = mlir::dyn_cast<MemRefType>(op.getDst().getType());
  if (type && type.hasStaticShape() && type.getNumElements() == 0) {
    keepToken(op, *parts);
    return true;
  }
  KernelBuilder builder(op);
  Value dst = bufferOf(builder, op.getDst());
  Value src = bufferOf(builder, op.getSrc());
  Value chain = builder.makeChain("tfrt_gpu.mem.copy", {dst, src, parts->second, parts->chain});
  replaceToken(builder, op, chain, parts->second);
  return true;
}

// Integers as operands of a kernel, of another type: each value once.
class Numbers {
 public:
  explicit Numbers(KernelBuilder& builder) : builder_(builder) {}

  Value get(Value value, Type type) {
    Value& number = numbers_[value];
    if (number) return number;
    if (std::optional<int64_t> constant = constantOf(value)) {
      return number = builder_.makeConstant(type, *constant);
    }
    return number = builder_.cast(value, type).getResult(0);
  }

 private:
  KernelBuilder& builder_;
  llvm::DenseMap<Value, Value> numbers_;
};

bool convert(mlir::gpu::LaunchFuncOp op) {
  if (op.hasClusterSize() || op.getAsyncObject()) return false;
  std::optional<TokenParts> parts = streamOf(op);
  Value context = contextFor(op);
  if (!parts || !context) return false;
  KernelBuilder builder(op);
  Value module = builder.makeOnce(op.getKernelModuleName().getValue(), context,
                                  ModuleType::get(builder.getContext()));
  Value function = builder.makeOne<FunctionType>(
      "tfrt_gpu.module.get_function", module,
      builder.getNamedAttr("name", builder.getStringAttr(op.getKernelName().getValue())));
  llvm::SmallVector<Value> operands = {parts->second, function};

  Type bytes_type = builder.getIntegerType(32, /*isSigned=*/false);
  Value bytes = op.getDynamicSharedMemorySize()
                    ? Numbers(builder).get(op.getDynamicSharedMemorySize(), bytes_type)
                    : builder.makeConstant(bytes_type, 0);
  Type size_type = builder.getIntegerType(64, /*isSigned=*/false);
  Numbers sizes(builder);
  const Value given[] = {op.getGridSizeX(),  op.getGridSizeY(),  op.getGridSizeZ(),
                         op.getBlockSizeX(), op.getBlockSizeY(), op.getBlockSizeZ()};
  for (Value size : given) operands.push_back(sizes.get(size, size_type));
  operands.push_back(bytes);
  operands.push_back(parts->chain);
  for (Value operand : op.getKernelOperands()) {
    const bool is_memory = mlir::isa<mlir::BaseMemRefType>(operand.getType());
    operands.push_back(is_memory ? bufferOf(builder, operand) : operand);
  }
  Value chain = builder.makeChain("tfrt_gpu.function.launch", operands);
  llvm::SetVector<Value> numbers(std::begin(given), std::end(given));
  if (op.getDynamicSharedMemorySize()) numbers.insert(op.getDynamicSharedMemorySize());
  replaceToken(builder, op, chain, parts->second);
  for (Value number : numbers) eraseUnusedConstant(number);
  return true;
}

// The token of a stream behind the op's dependencies; null if there is none.
Value join(mlir::gpu::WaitOp op) {
  std::optional<Dependencies> dependencies = dependenciesOf(op);
  if (!dependencies) return {};
  if (dependencies->events.empty()) return op.getAsyncDependencies().front();
  Value stream = dependencies->stream;
  for (Value argument : op->getBlock()->getArguments()) {
    if (!stream && mlir::isa<StreamType>(argument.getType())) stream = argument;
  }
  KernelBuilder builder(op);
  if (!stream) {
    Value context = contextFor(op);
    if (!context) return {};
    stream = builder.makeOne<StreamType>("tfrt_gpu.stream.create", context);
  }
  return builder.makeToken(waitFor(builder, *dependencies, stream), stream);
}

// Work elsewhere, and after the block, follows an event instead of the stream.
bool convert(mlir::gpu::WaitOp op) {
  if (!op.getAsyncToken()) return false;
  Value token = join(op);
  if (!token) return false;
  auto is_elsewhere = [&](mlir::OpOperand& use) {
    return use.getOwner()->getBlock() != op->getBlock() ||
           use.getOwner()->hasTrait<mlir::OpTrait::IsTerminator>();
  };
  if (llvm::any_of(op.getAsyncToken().getUses(), is_elsewhere)) {
    KernelBuilder builder(op);
    const Type types[] = {ChainType::get(builder.getContext()),
                          EventType::get(builder.getContext())};
    auto both = builder.cast(token, types);
    token = builder.makeToken(both.getResult(0), partsOf(token)->second);
    Value event = builder.makeToken(both.getResult(0), both.getResult(1));
    op.getAsyncToken().replaceUsesWithIf(event, is_elsewhere);
  }
  op.getAsyncToken().replaceAllUsesWith(token);
  op.erase();
  return true;
}

bool convert(memref::GetGlobalOp op) {
  Value context = contextFor(op);
  if (!context) return false;
  KernelBuilder builder(op);
  Value buffer = builder.makeOnce(op.getName(), context, BufferType::get(builder.getContext()));
  op.getResult().replaceAllUsesWith(builder.cast(buffer, op.getType()).getResult(0));
  op.erase();
  return true;
}

// Whether the first two arguments of a tfrt_gpu.streamify are as usual.
bool hasStream(mlir::Block& body) {
  return body.getNumArguments() >= 2 && mlir::isa<ChainType>(body.getArgument(0).getType()) &&
         mlir::isa<StreamType>(body.getArgument(1).getType());
}

// A copy to the host, after which the body's work goes on.
bool convert(memref::LoadOp op) {
  mlir::Block& body = *op->getBlock();
  Type type = op.getType();
  std::optional<int64_t> size = sizeOf(op.getMemRefType());
  if (!mlir::isa<StreamifyOp>(body.getParentOp()) || !hasStream(body) || !size ||
      op.getMemRefType().getNumElements() != 1 || !(type.isInteger(1) || type.isInteger(32))) {
    return false;
  }
  Value chain = chainBefore(op);
  KernelBuilder builder(op);
  Value stream = body.getArgument(1);
  Value context = builder.makeOne<ContextType>("tfrt_gpu.stream.get_context", stream);
  Value bytes = builder.makeConstant(builder.getI64Type(), *size);
  Value host = builder.makeOne<BufferType>("tfrt_gpu.mem.allocate_host", {context, bytes, chain});
  Value buffer = bufferOf(builder, op.getMemref());
  chain = builder.makeChain("tfrt_gpu.mem.copy", {host, buffer, stream, chain});
  chain = builder.makeChain("tfrt_gpu.stream.synchronize", {stream, chain});
  Operation* load = builder.make("tfrt_gpu.mem.load", {host, chain}, type,
                                 builder.getNamedAttr("type", mlir::TypeAttr::get(type)));
  returnChain(op, chain);
  op.getResult().replaceAllUsesWith(load->getResult(0));
  op.erase();
  return true;
}

bool convert(StreamifyOp op) {
  mlir::Block& body = op.getBody().front();
  if (!hasStream(body) || body.getNumArguments() != 2) return false;
  std::optional<TokenParts> parts = streamOf(op);
  if (!parts) return false;
  body.getArgument(0).replaceAllUsesWith(parts->chain);
  body.getArgument(1).replaceAllUsesWith(parts->second);
  Operation* end = body.getTerminator();
  op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations(), body.begin(),
                                         end->getIterator());
  for (auto [result, value] :
       llvm::zip_equal(op->getResults().drop_back(), end->getOperands().drop_front())) {
    result.replaceAllUsesWith(value);
  }
  KernelBuilder builder(op);
  replaceToken(builder, op, end->getOperand(0), parts->second);
  return true;
}

bool convertOp(Operation* op) {
  return llvm::TypeSwitch<Operation*, bool>(op)
      .Case<mlir::gpu::AllocOp, mlir::gpu::DeallocOp, mlir::gpu::MemsetOp, mlir::gpu::MemcpyOp,
            mlir::gpu::LaunchFuncOp, mlir::gpu::WaitOp, memref::GetGlobalOp, memref::LoadOp,
            StreamifyOp>([](auto op) { return convert(op); })
      .Default([](Operation* op) {
        return !mlir::isa<memref::GlobalOp>(op) &&
               !mlir::isa_and_nonnull<mlir::gpu::GPUDialect>(op->getDialect());
      });
}

struct GpuStreamifyPass : impl::GpuStreamifyPassBase<GpuStreamifyPass> {
  void runOnOperation() override {
    if (mlir::failed(convertDeviceCode(getOperation()))) return signalPassFailure();
    convertGlobals(getOperation());
    // Bodies come before the tfrt_gpu.streamify that they are of.
    Operation* illegal = nullptr;
    getOperation().walk([&](Operation* op) {
      if (illegal || op->getParentOfType<mlir::gpu::GPUModuleOp>() || convertOp(op)) return;
      illegal = op;
    });
    if (!illegal) return;
    (void)reportIllegal(illegal);
    signalPassFailure();
  }
};

}  // namespace
}  // namespace tfrt::compiler::gpu
