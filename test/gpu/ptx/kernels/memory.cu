// State spaces, structs, vectors, calls, tables of functions and branches, as compilers translate
// them.
#include "device.h"

struct Pair {
  int first;
  double second;
};
struct Bytes {
  unsigned char values[20];
};
struct alignas(16) Quad {
  float x, y, z, w;
};
struct alignas(8) Two {
  int x, y;
};

__device__ int counter;
__device__ float weights[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__device__ int* pointer = &counter;
__constant__ short table[6] = {1, 2, 3, 5, 8, 13};
__device__ unsigned char letters[] = "letters";

ENTRY(structs)(Pair pair, Bytes bytes, int index, double* out) {
  out[0] = pair.first + pair.second;
  out[1] = bytes.values[index % 20];
  out[2] = table[index % 6] + weights[index & 3] + letters[index & 3];
  *pointer += index;
}

ENTRY(vectors)(const Quad* a, Quad* b, const Two* c, Two* d, int index) {
  Quad q = a[index];
  b[index] = Quad{q.w, q.z, q.y, q.x};
  Two t = c[index];
  d[index] = Two{t.y, t.x};
}

ENTRY(strong)(volatile int* a, volatile double* b, volatile unsigned char* c, volatile short* d,
              volatile long long* e) {
  *a = *a + 1;
  *b = *b + 1;
  *c = static_cast<unsigned char>(*c + 1);
  *d = static_cast<short>(*d + 1);
  *e = *e + 1;
}

NOINLINE int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }
NOINLINE Pair MakePair(int a, double b, Bytes bytes) { return Pair{a + bytes.values[0], b}; }
NOINLINE float Twice(float x) { return 2 * x; }
NOINLINE float Half(float x) { return x / 2; }
NOINLINE float Square(float x) { return x * x; }
__device__ float (*const functions[3])(float) = {Twice, Half, Square};

ENTRY(calls)(int n, double* out, float* results) {
  Bytes bytes = {};
  bytes.values[0] = static_cast<unsigned char>(n);
  Pair pair = MakePair(Fibonacci(n), 0.5, bytes);
  out[0] = pair.first + pair.second;
  results[0] = functions[n % 3](results[1]);
}

ENTRY(stack)(int* out, int n) {
  int values[32];
  for (int i = 0; i < 32; ++i) values[i] = i * n;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += values[(i * 7) & 31];
  char bytes[16];
  for (int i = 0; i < 16; ++i) bytes[i] = static_cast<char>(n >> i);
  out[0] = sum + bytes[n & 15];
}

ENTRY(branches)(int* out, int n) {
  int value = 0;
  switch (n) {
    case 0:
      value = out[1];
      break;
    case 1:
      value = out[2] * 3;
      break;
    case 2:
      value = out[3] + out[4];
      break;
    case 3:
      value = out[5] / 7;
      break;
    case 4:
      value = out[6] ^ 9;
      break;
    case 5:
      value = out[7] - out[1];
      break;
    case 6:
      value = out[8] << 3;
      break;
    default:
      value = -1;
  }
  while (value > n && n > 0) value -= out[9];
  out[0] = value;
}
