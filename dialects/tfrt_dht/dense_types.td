// What the ops of tfrt_dht and tfrt_dht_sync are named after: element types and ranks.
#ifndef TFRT_DIALECTS_TFRT_DHT_DENSE_TYPES
#define TFRT_DIALECTS_TFRT_DHT_DENSE_TYPES

// In the names of ops, and the same in the names of C++ classes.
class Dense_DType<string op_suffix, string class_suffix> {
  string text = op_suffix;
  string cpp = class_suffix;
}
def Dense_UI8 : Dense_DType<"ui8", "UI8">;
def Dense_UI16 : Dense_DType<"ui16", "UI16">;
def Dense_UI32 : Dense_DType<"ui32", "UI32">;
def Dense_UI64 : Dense_DType<"ui64", "UI64">;
def Dense_I32 : Dense_DType<"i32", "I32">;
def Dense_F32 : Dense_DType<"f32", "F32">;
def Dense_I64 : Dense_DType<"i64", "I64">;
def Dense_Bool : Dense_DType<"bool", "Bool">;
def Dense_Complex64 : Dense_DType<"complex64", "Complex64">;
def Dense_Complex128 : Dense_DType<"complex128", "Complex128">;

defvar Dense_DTypes = [Dense_UI8, Dense_UI16, Dense_UI32, Dense_UI64, Dense_I32, Dense_F32, Dense_I64,
                       Dense_Bool, Dense_Complex64, Dense_Complex128];
// Those of kernels that are not as old.
def Dense_I8 : Dense_DType<"i8", "I8">;
def Dense_F16 : Dense_DType<"f16", "F16">;
def Dense_BF16 : Dense_DType<"bf16", "BF16">;
def Dense_F64 : Dense_DType<"f64", "F64">;
defvar Dense_CreationDTypes = [Dense_UI8, Dense_UI32, Dense_UI64, Dense_I8, Dense_I32, Dense_I64, Dense_F16,
                               Dense_BF16, Dense_F32, Dense_F64, Dense_Bool, Dense_Complex64,
                               Dense_Complex128];

defvar Dense_Ranks = [0, 1, 2, 3, 4];

#endif
