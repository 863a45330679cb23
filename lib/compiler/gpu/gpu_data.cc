#include "gpu_data.h"

#include "dialects/tfrt_dht/tfrt_dht_dialect.h"
#include "gpu_passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tfrt::compiler::gpu {
namespace {

using mlir::Attribute;
using mlir::Operation;
using mlir::Type;
using mlir::Value;
using mlir::func::FuncOp;
using mlir::gpu::GPUModuleOp;
using mlir::memref::GlobalOp;

// The type as names of kernels of dense tensors have it; empty if there are none.
std::string dtypeName(Type type) {
  if (type.isInteger(1)) return "bool";
  std::string name;
  llvm::raw_string_ostream stream(name);
  auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
  if ((integer && !integer.isSigned()) || type.isBF16() || type.isF16() || type.isF32() ||
      type.isF64()) {
    stream << type;
  } else if (auto complex = mlir::dyn_cast<mlir::ComplexType>(type)) {
    if (complex.getElementType().isF32()) stream << "complex64";
    if (complex.getElementType().isF64()) stream << "complex128";
  }
  return name;
}

// The initial value of a global.
struct InitialValue {
  std::string dtype;
  llvm::ArrayRef<int64_t> shape;
  llvm::SmallVector<Attribute> values;  // of complex numbers the real and the imaginary parts
};
std::optional<InitialValue> initialValueOf(GlobalOp global) {
  if (!global) return std::nullopt;
  auto elements = mlir::dyn_cast_or_null<mlir::DenseElementsAttr>(global.getInitialValueAttr());
  std::string dtype = dtypeName(global.getType().getElementType());
  if (!elements || dtype.empty() || !sizeOf(global.getType())) return std::nullopt;
  InitialValue constant = {std::move(dtype), global.getType().getShape(), {}};
  for (Attribute value : elements.getValues<Attribute>()) {
    if (auto complex = mlir::dyn_cast<mlir::ArrayAttr>(value)) {
      llvm::append_range(constant.values, complex);
    } else {
      constant.values.push_back(value);
    }
  }
  return constant;
}

// Sets the buffer's elements; the work is in the stream when the result, a chain, is ready.
Value copyConstant(KernelBuilder& builder, const InitialValue& constant, Value buffer, Value stream,
                   Value chain) {
  const std::string rank = std::to_string(constant.shape.size());
  Value tensor = builder.makeOne<HostTensorType>(
      "tfrt_dht.create_uninitialized_tensor." + constant.dtype + "." + rank, {},
      builder.getNamedAttr("shape", builder.getI64ArrayAttr(constant.shape)));
  chain = builder.makeOne<ChainType>(
      "tfrt_dht.set_tensor_with_constant_values." + constant.dtype, {tensor, chain},
      builder.getNamedAttr("values", builder.getArrayAttr(constant.values)));
  const Type types[] = {ht::HostBufferType::get(builder.getContext()), chain.getType()};
  Value host = builder.make("tfrt_dht.get_buffer", {tensor, chain}, types)->getResult(0);
  return builder.makeChain("tfrt_gpu.mem.copy", {buffer, host, stream, chain});
}

// Returns the value when all work of the stream is done.
void returnWhenDone(KernelBuilder& builder, Value value, Value stream, Value chain) {
  chain = builder.makeChain("tfrt_gpu.stream.synchronize", {stream, chain});
  Value done = builder.make("tfrt_gpu.alias", {value, chain}, value.getType())->getResult(0);
  ReturnOp::create(builder, builder.location, done);
}

// A function of a context in place of the op, under its name. The builder is at its begin.
FuncOp replaceByFunction(Operation* op, Type result, KernelBuilder& builder) {
  auto function =
      FuncOp::create(builder, op->getLoc(), mlir::SymbolTable::getSymbolName(op).getValue(),
                     builder.getFunctionType(ContextType::get(op->getContext()), result));
  function.setVisibility(mlir::SymbolTable::getSymbolVisibility(op));
  builder.setInsertionPointToStart(function.addEntryBlock());
  op->erase();
  return function;
}

// The globals that a module's constants are; empty if one of them is none.
std::optional<llvm::SmallVector<GlobalOp>> globalsOf(GPUModuleOp code) {
  llvm::SmallVector<GlobalOp> globals;
  auto names = code->getAttrOfType<mlir::ArrayAttr>("constants");
  if (!names) return globals;
  for (Attribute name : names) {
    auto symbol = mlir::dyn_cast<mlir::SymbolRefAttr>(name);
    auto global =
        symbol ? mlir::SymbolTable::lookupNearestSymbolFrom<GlobalOp>(code->getParentOp(), symbol)
               : GlobalOp();
    if (!initialValueOf(global)) return std::nullopt;
    globals.push_back(global);
  }
  return globals;
}

void convert(GPUModuleOp code, llvm::StringRef binary) {
  if (binary.empty()) return code.erase();
  auto globals = globalsOf(code);
  if (!globals) return;
  KernelBuilder builder(code);
  auto named = [&](llvm::StringRef name, const llvm::Twine& text) {
    return builder.getNamedAttr(name, builder.getStringAttr(text));
  };
  const std::string data = (binary + llvm::StringRef("\0", 1)).str();
  const auto module_type = ModuleType::get(builder.getContext());
  Value context = replaceByFunction(code, module_type, builder).getArgument(0);
  Value module = builder.makeOne<ModuleType>("tfrt_gpu.module.load", context, named("data", data));
  if (globals->empty()) {
    ReturnOp::create(builder, builder.location, module);
    return;
  }
  Value chain = builder.makeChain("tfrt.new.chain", {});
  Value stream = builder.makeOne<StreamType>("tfrt_gpu.stream.create", context);
  for (GlobalOp global : *globals) {
    Value buffer = builder.makeOne<BufferType>("tfrt_gpu.module.get_global", module,
                                               named("name", global.getSymName()));
    chain = copyConstant(builder, *initialValueOf(global), buffer, stream, chain);
  }
  returnWhenDone(builder, module, stream, chain);
}

// The variable of a module as the buffer.
void convert(GlobalOp global, mlir::FlatSymbolRefAttr code) {
  KernelBuilder builder(global);
  auto name = builder.getNamedAttr("name", global.getSymNameAttr());
  const auto buffer_type = BufferType::get(builder.getContext());
  Value context = replaceByFunction(global, buffer_type, builder).getArgument(0);
  Value module = builder.makeOnce(code.getValue(), context, ModuleType::get(builder.getContext()));
  Value buffer = builder.makeOne<BufferType>("tfrt_gpu.module.get_global", module, name);
  ReturnOp::create(builder, builder.location, buffer);
}

void convert(GlobalOp global) {
  std::optional<int64_t> size = sizeOf(global.getType());
  std::optional<InitialValue> constant = initialValueOf(global);
  if (!size || (!constant && !global.isUninitialized())) return;
  KernelBuilder builder(global);
  const auto buffer_type = BufferType::get(builder.getContext());
  Value context = replaceByFunction(global, buffer_type, builder).getArgument(0);
  Value allocator = builder.makeOne<AllocatorType>("tfrt_gpu.allocator.create", context);
  Value stream = builder.makeOne<StreamType>("tfrt_gpu.stream.create", context);
  Value bytes = builder.makeConstant(builder.getI64Type(), *size);
  Value chain = builder.makeChain("tfrt.new.chain", {});
  Value buffer =
      builder.makeOne<BufferType>("tfrt_gpu.mem.allocate", {allocator, stream, bytes, chain});
  if (constant) chain = copyConstant(builder, *constant, buffer, stream, chain);
  returnWhenDone(builder, buffer, stream, chain);
}

}  // namespace

std::optional<int64_t> sizeOf(mlir::MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity()) return std::nullopt;
  Type element = type.getElementType();
  int64_t size = 1;
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(element)) {
    element = complex.getElementType();
    size = 2;
  }
  if (!element.isIntOrFloat()) return std::nullopt;
  size *= llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  for (int64_t dim : type.getShape()) {
    if (llvm::MulOverflow(size, dim, size)) return std::nullopt;
  }
  return size;
}

mlir::LogicalResult convertDeviceCode(mlir::ModuleOp module) {
  llvm::SmallVector<GPUModuleOp> all;
  module.walk([&](GPUModuleOp code) { all.push_back(code); });
  auto binaryOf = [](GPUModuleOp code) { return code->getAttrOfType<mlir::StringAttr>("binary"); };
  if (!all.empty() && llvm::none_of(all, binaryOf)) return mlir::failure();
  for (GPUModuleOp code : all) {
    if (mlir::StringAttr binary = binaryOf(code)) convert(code, binary.getValue());
  }
  return mlir::success();
}

void convertGlobals(mlir::ModuleOp module) {
  llvm::SmallVector<GlobalOp> all;
  module.walk([&](GlobalOp global) {
    if (!global->getParentOfType<GPUModuleOp>()) all.push_back(global);
  });
  for (GlobalOp global : all) {
    if (auto code = global->getAttrOfType<mlir::FlatSymbolRefAttr>("gpu_module")) {
      convert(global, code);
    } else {
      convert(global);
    }
  }
}

}  // namespace tfrt::compiler::gpu
