// Relations of two operands, and functions of two truth values: entry points as those of binary.cu,
// with i1 as results.
#define TFRT_COMPARES
#include "binary.cu"
