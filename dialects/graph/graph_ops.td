// The ops of structure of the graph dialect. All others are rows of the op table, and need no record here.
#ifndef TFRT_DIALECTS_GRAPH_GRAPH_OPS
#define TFRT_DIALECTS_GRAPH_GRAPH_OPS

include "dialects/graph/graph_base.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def Graph_ConstantOp : Op<Graph_Dialect, "constant", [Pure, ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a tensor that is known when the program is compiled";
  let description = [{
    Large ones are resources over the file that they come from, so that nothing copies or compares their elements.
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

def Graph_WeightOp : Op<Graph_Dialect, "weight", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant that a model file has among its weights";
  let description = [{
    What a large constant is lowered to. The kernel finds it by its number in the file's section of weights, which the
    converter gives it; the elements are read where they lie.
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs AnyStaticShapeTensor:$result);
  let assemblyFormat = "attr-dict $value";
}

// What the values of programs are: regions and their functions take tokens as they take tensors.
def Graph_Value : AnyTypeOf<[AnyTensor, Graph_TokenType]>;

def Graph_BeginEffectsOp : Op<Graph_Dialect, "begin_effects", [MemoryEffects<[MemWrite]>]> {
  let summary = "the token of a program's first effect";
  let results = (outs Graph_TokenType:$token);
  let assemblyFormat = "attr-dict";
}

def Graph_EndEffectsOp : Op<Graph_Dialect, "end_effects", [MemoryEffects<[MemRead]>]> {
  let summary = "true, when all effects before the token are over; the error of the first that failed";
  let arguments = (ins Graph_TokenType:$token);
  let results = (outs 0DTensorOf<[I1]>:$over);
  let assemblyFormat = "$token attr-dict `:` type($over)";
}

def Graph_HostCallOp : Op<Graph_Dialect, "host_call", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what a function of the host makes of tensors";
  let description = [{
    The function is number `callback` of those that come with a run (`lib/ops/op_call/host_callbacks.h`). It runs
    where work may block. Operands and results end with tokens. What the function makes must be of the results'
    types, as far as they are known.

    ```mlir
    %y, %next = graph.host_call %x, %token {callback = 0 : i64, name = "log"} : (tensor<4xf32>, !graph.token) -> (tensor<4xf32>, !graph.token)
    ```
  }];
  let arguments = (ins Variadic<AnyTensor>:$inputs, Graph_TokenType:$token, I64Attr:$callback, StrAttr:$name);
  let results = (outs Variadic<AnyTensor>:$results, Graph_TokenType:$next_token);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Graph_ReturnOp : Op<Graph_Dialect, "return", [Pure, ReturnLike, Terminator]> {
  let summary = "the results of a function or a region";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "attr-dict ($results^ `:` type($results))?";
  let hasVerifier = 1;
}

def Graph_IfOp : Op<Graph_Dialect, "if", [RecursiveMemoryEffects, NoRegionArguments, SingleBlock]> {
  let summary = "the results of one of two regions";
  let description = [{
    The regions see the values around them. Their results may be of types that are more special than the op's: the
    element types are the same, the sizes may be known of one only. Effects are ordered by tokens among the results.

    ```mlir
    %y = graph.if %condition : tensor<i1> -> (tensor<?xf32>) {
      %0 = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
      graph.return %0 : tensor<4xf32>
    } else {
      graph.return %z : tensor<?xf32>
    }
    ```
  }];
  let arguments = (ins AnyTensor:$condition);
  let results = (outs Variadic<Graph_Value>:$results);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $condition `:` type($condition) (`->` `(` type($results)^ `)`)? attr-dict-with-keyword
    $then_region `else` $else_region
  }];
  let hasRegionVerifier = 1;
}

def Graph_LoopOp : Op<Graph_Dialect, "loop", [AttrSizedOperandSegments, RecursiveMemoryEffects, SingleBlock]> {
  let summary = "runs a region again and again";
  let description = [{
    The region runs while fewer than `count` runs are over and the condition is true; what is left out bounds nothing.
    Its arguments are the number of runs that are over, the condition and the carried values, `initial` at first. It
    returns the next condition, the next carried values and more values. The op's results are the last carried values,
    and for each of the others the values of all runs, stacked along a new first dimension. The region sees the values
    around it.

    ```mlir
    %last, %all = graph.loop count(%n : tensor<i64>) initial(%x : tensor<4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
    ^bb0(%i: tensor<i64>, %go_on: tensor<i1>, %carried: tensor<4xf32>):
      %next = graph.add %carried, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      graph.return %go_on, %next, %next : tensor<i1>, tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Optional<AnyTensor>:$count, Optional<AnyTensor>:$condition, Variadic<Graph_Value>:$initial);
  let results = (outs Variadic<Graph_Value>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`count` `(` $count^ `:` type($count) `)`)? (`while` `(` $condition^ `:` type($condition) `)`)?
    (`initial` `(` $initial^ `:` type($initial) `)`)? (`->` `(` type($results)^ `)`)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
}

// What files hold in the place of graph.if and graph.loop: their regions are functions, whose arguments are the
// region's and then what the regions see of the values around them.

def Graph_IfCallOp : Op<Graph_Dialect, "if_call"> {
  let summary = "the results of one of two functions";
  let arguments = (ins AnyTensor:$condition, Variadic<Graph_Value>:$captured, FlatSymbolRefAttr:$else_function,
                       FlatSymbolRefAttr:$then_function);
  let results = (outs Variadic<Graph_Value>:$results);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Graph_LoopCallOp : Op<Graph_Dialect, "loop_call"> {
  let summary = "runs a function again and again";
  let description = [{
    Operands are the count and the condition where there is one, `carried` values, and what is captured. `stacked` has
    for each of the other results the number of its element type, its rank, without the dimension of the runs, and its
    sizes, -1 where they are not known; a rank of -1 says that nothing is known.
  }];
  let arguments = (ins Variadic<Graph_Value>:$values, FlatSymbolRefAttr:$body, I64Attr:$carried, BoolAttr:$has_condition,
                       BoolAttr:$has_count, DenseI64ArrayAttr:$stacked);
  let results = (outs Variadic<Graph_Value>:$results);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

#endif
