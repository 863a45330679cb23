// Arithmetic of all types, as compilers translate it. Plain C++ and what compilers call by names of
// their own, so that clang and nvcc both take it.
#include "device.h"

template <class T>
__device__ void Integers(T* out, T a, T b, T c) {
  out[0] = a + b;
  out[1] = a - b;
  out[2] = a * b;
  out[3] = a / b;
  out[4] = a % b;
  out[5] = a < b ? a : b;
  out[6] = a > b ? a : b;
  out[7] = -a;
  out[8] = a < 0 ? -a : a;
  out[9] = a & b;
  out[10] = a | (b ^ c);
  out[11] = ~a;
  out[12] = a << (b & 7);
  out[13] = a >> (c & 7);
  out[14] = a * b + c;
  out[15] = a == b ? c : a;
  out[16] = !a;
  out[17] = (a & b) | (~a & c);
}
ENTRY(integers_i8)(signed char* out, signed char a, signed char b, signed char c) {
  Integers(out, a, b, c);
}
ENTRY(integers_u8)(unsigned char* out, unsigned char a, unsigned char b, unsigned char c) {
  Integers(out, a, b, c);
}
ENTRY(integers_i16)(short* out, short a, short b, short c) { Integers(out, a, b, c); }
ENTRY(integers_u16)(unsigned short* out, unsigned short a, unsigned short b, unsigned short c) {
  Integers(out, a, b, c);
}
ENTRY(integers_i32)(int* out, int a, int b, int c) { Integers(out, a, b, c); }
ENTRY(integers_u32)(unsigned* out, unsigned a, unsigned b, unsigned c) { Integers(out, a, b, c); }
ENTRY(integers_i64)(long long* out, long long a, long long b, long long c) {
  Integers(out, a, b, c);
}
ENTRY(integers_u64)(unsigned long long* out, unsigned long long a, unsigned long long b,
                    unsigned long long c) {
  Integers(out, a, b, c);
}

template <class T>
__device__ void Floats(T* out, bool* flags, T a, T b, T c) {
  out[0] = a + b;
  out[1] = a - b;
  out[2] = a * b;
  out[3] = a / b;
  out[4] = a * b + c;
  out[5] = -a;
  out[6] = a < b ? a : b;
  out[7] = a > b ? c : b;
  flags[0] = a == b;
  flags[1] = a != b;
  flags[2] = a < b;
  flags[3] = a <= b;
  flags[4] = a > b;
  flags[5] = a >= b;
  flags[6] = !(a < b);
  flags[7] = a != a || b != b;
}
ENTRY(floats_f32)(float* out, bool* flags, float a, float b, float c) {
  Floats(out, flags, a, b, c);
}
ENTRY(floats_f64)(double* out, bool* flags, double a, double b, double c) {
  Floats(out, flags, a, b, c);
}

template <class To, class From>
__device__ To Converted(From value) {
  return static_cast<To>(value);
}
template <class From>
__device__ void Conversions(From a, signed char* i8, unsigned char* u8, short* i16,
                            unsigned short* u16, int* i32, unsigned* u32, long long* i64,
                            unsigned long long* u64, float* f32, double* f64) {
  *i8 = Converted<signed char>(a);
  *u8 = Converted<unsigned char>(a);
  *i16 = Converted<short>(a);
  *u16 = Converted<unsigned short>(a);
  *i32 = Converted<int>(a);
  *u32 = Converted<unsigned>(a);
  *i64 = Converted<long long>(a);
  *u64 = Converted<unsigned long long>(a);
  *f32 = Converted<float>(a);
  *f64 = Converted<double>(a);
}
#define CONVERSIONS(name, type)                                                             \
  ENTRY(name)(type a, signed char* i8, unsigned char* u8, short* i16, unsigned short* u16,  \
              int* i32, unsigned* u32, long long* i64, unsigned long long* u64, float* f32, \
              double* f64) {                                                                \
    Conversions(a, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64);                         \
  }
CONVERSIONS(convert_i8, signed char)
CONVERSIONS(convert_u8, unsigned char)
CONVERSIONS(convert_i16, short)
CONVERSIONS(convert_u16, unsigned short)
CONVERSIONS(convert_i32, int)
CONVERSIONS(convert_u32, unsigned)
CONVERSIONS(convert_i64, long long)
CONVERSIONS(convert_u64, unsigned long long)
CONVERSIONS(convert_f32, float)
CONVERSIONS(convert_f64, double)

ENTRY(wide)(long long* out, int a, int b, unsigned c, unsigned d, long long e, __int128* wide) {
  out[0] = static_cast<long long>(a) * b;
  out[1] = static_cast<long long>(static_cast<unsigned long long>(c) * d);
  out[2] = static_cast<long long>(a) * b + e;
  __int128 sum = *wide;
  wide[1] = sum * e + sum;
  wide[2] = sum - e;
  wide[3] = sum << (a & 63);
}

#ifdef __clang__  // whose names of these nvcc does not have
ENTRY(bits)(int* out, unsigned a, unsigned long long b, unsigned c) {
  out[0] = __builtin_popcount(a);
  out[1] = __builtin_popcountll(b);
  out[2] = __builtin_clz(a);
  out[3] = __builtin_clzll(b);
  out[4] = static_cast<int>(a << (c & 31) | a >> (-c & 31));
  out[5] = static_cast<int>(a >> 5 & 0x3f);
  out[6] = static_cast<int>(__builtin_bswap32(a));
  out[7] = static_cast<int>(a << 24) >> 27;
  out[8] = __builtin_ctz(a);
}
#endif
