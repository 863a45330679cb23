// Do not edit: made by fit_coefficients.py, which says how.
//
// Polynomials of device_math.h, the highest power first.
#ifndef TFRT_GPU_DEVICE_CODE_MATH_COEFFICIENTS_H_
#define TFRT_GPU_DEVICE_CODE_MATH_COEFFICIENTS_H_

namespace tfrt::gpu::device {

// exp(r) = 1 + r + r^2 P(r), |r| <= ln(2) / 2.
template <typename T>
struct ExpRest;
template <>
struct ExpRest<float> {
  static constexpr float kCoefficients[] = {
      0x1.6d110ap-10f,
      0x1.120b6ep-7f,
      0x1.55551ap-5f,
      0x1.5554dcp-3f,
      0x1p-1f,
  };
};
template <>
struct ExpRest<double> {
  static constexpr double kCoefficients[] = {
      0x1.1f730349868cep-29,
      0x1.af4de97ca4194p-26,
      0x1.27e4db646b17ep-22,
      0x1.71de0231960ebp-19,
      0x1.a01a01a6d889cp-16,
      0x1.a01a01abe7fe1p-13,
      0x1.6c16c16c162d4p-10,
      0x1.11111111100dcp-7,
      0x1.5555555555556p-5,
      0x1.5555555555557p-3,
      0x1p-1,
  };
};

// 2^r = 1 + r P(r), |r| <= 1/2.
template <typename T>
struct Exp2Rest;
template <>
struct Exp2Rest<float> {
  static constexpr float kCoefficients[] = {
      0x1.44138ap-13f,
      0x1.5f089p-10f,
      0x1.3b2a54p-7f,
      0x1.c6af6cp-5f,
      0x1.ebfbep-3f,
      0x1.62e43p-1f,
  };
};
template <>
struct Exp2Rest<double> {
  static constexpr double kCoefficients[] = {
      0x1.8219217906555p-40,
      0x1.c4b5b04b1e8f9p-36,
      0x1.e8ca8dd465e8bp-32,
      0x1.e4cf03bac04a7p-28,
      0x1.b5253d41fa178p-24,
      0x1.62c022460176ep-20,
      0x1.ffcbfc5889cbp-17,
      0x1.430912f86ac5bp-13,
      0x1.5d87fe78a6732p-10,
      0x1.3b2ab6fba4e7bp-7,
      0x1.c6b08d704a0cp-5,
      0x1.ebfbdff82c58fp-3,
      0x1.62e42fefa39efp-1,
  };
};

// log(m) = 2 s + s^3 P(s^2), s = (m - 1) / (m + 1), 1/2 <= m^2 <= 2.
template <typename T>
struct LogRest;
template <>
struct LogRest<float> {
  static constexpr float kCoefficients[] = {
      0x1.2ee656p-2f,
      0x1.997c2ep-2f,
      0x1.55555cp-1f,
  };
};
template <>
struct LogRest<double> {
  static constexpr double kCoefficients[] = {
      0x1.2b5900de53b32p-3,
      0x1.39fe51a7c18f9p-3,
      0x1.7462b51cb66b1p-3,
      0x1.c71c62e3f11e6p-3,
      0x1.2492492df281ap-2,
      0x1.99999999952d7p-2,
      0x1.5555555555558p-1,
  };
};

// atanh(s) = s + s^3 / 3 + s^5 P(s^2), for the same s.
template <typename T>
struct LogTail;
template <>
struct LogTail<float> {
  static constexpr float kCoefficients[] = {
      0x1.d80726p-4f,
      0x1.247a3p-3f,
      0x1.9999a4p-3f,
  };
};
template <>
struct LogTail<double> {
  static constexpr double kCoefficients[] = {
      0x1.08788c3e01713p-4,
      0x1.1018ae366a914p-4,
      0x1.3b18b8ee7a308p-4,
      0x1.745d09f06d811p-4,
      0x1.c71c71d7e7fc3p-4,
      0x1.249249248e532p-3,
      0x1.999999999999ep-3,
  };
};

// the normal distribution's tail above x is exp(-x^2 / 2) P((x - 3) / (x + 3)) / (x + 3), 0 <= x <= 15 (f64: 40).
template <typename T>
struct NormalTailFactor;
template <>
struct NormalTailFactor<float> {
  static constexpr float kCoefficients[] = {
      0x1.d17fe4p-15f,
      0x1.1799cp-13f,
      -0x1.0098a8p-12f,
      -0x1.0f2e8cp-10f,
      0x1.0c7a08p-10f,
      0x1.c8c7dcp-8f,
      -0x1.56d40ap-7f,
      -0x1.832d32p-5f,
      0x1.d71382p-3f,
      -0x1.04c72ap-1f,
      0x1.754a76p-1f,
  };
};
template <>
struct NormalTailFactor<double> {
  static constexpr double kCoefficients[] = {
      0x1.84aac56a4dea3p-33,
      0x1.22a1c9c2917b2p-30,
      0x1.8e02875150a58p-30,
      -0x1.0c47dae6ee8a3p-28,
      -0x1.eef8a97222cadp-27,
      -0x1.101b72ae18a09p-27,
      0x1.5472c69fe2d51p-25,
      0x1.8ffc7d3c6b927p-24,
      0x1.baf44b41e5b22p-26,
      -0x1.28f10b3d9a7dap-22,
      -0x1.37c90cd3eee35p-21,
      0x1.c8c652b920177p-27,
      0x1.2e06c0101eb93p-19,
      0x1.e81393819aa46p-19,
      -0x1.d7d675baeaa76p-19,
      -0x1.5b152e72ec27ap-16,
      -0x1.bc7b77ffa6b03p-17,
      0x1.4a901b8f368f2p-14,
      0x1.43c9f2d841448p-13,
      -0x1.0d09e84bb6ff1p-12,
      -0x1.12285f18ed86dp-10,
      0x1.0d608c84fdcf1p-10,
      0x1.c8f52c32969f2p-8,
      -0x1.56d8e3d7ea0efp-7,
      -0x1.832dbf6992a6ep-5,
      0x1.d71387c654c87p-3,
      -0x1.04c7295a48f33p-1,
      0x1.754a751a56f4ap-1,
  };
};

// erf(x) = x + x P(x^2), |x| <= 1.
template <typename T>
struct ErfRest;
template <>
struct ErfRest<float> {
  static constexpr float kCoefficients[] = {
      -0x1.445bbap-17f,
      0x1.d885dep-14f,
      -0x1.bccf2cp-11f,
      0x1.562a5cp-8f,
      -0x1.b829c8p-6f,
      0x1.ce2f08p-4f,
      -0x1.812746p-2f,
      0x1.06eba8p-3f,
  };
};
template <>
struct ErfRest<double> {
  static constexpr double kCoefficients[] = {
      -0x1.3aa0695e302b2p-46,
      0x1.cf8fad4ef369dp-42,
      -0x1.d3328f629ec88p-38,
      0x1.9df7f26332c09p-34,
      -0x1.51cfdf31e7ac4p-30,
      0x1.fcc4c8d3ef1bp-27,
      -0x1.5f742912a2b38p-23,
      0x1.b9e6c9943dd8fp-20,
      -0x1.f4d25c3b72084p-17,
      0x1.f9a326f9a7726p-14,
      -0x1.c02db400406a2p-11,
      0x1.565bcd0e6a53p-8,
      -0x1.b82ce31288b51p-6,
      0x1.ce2f21a042be2p-4,
      -0x1.812746b0379e7p-2,
      0x1.06eba8214db69p-3,
  };
};

// sin(r) = r + r^3 P(r^2), |r| <= pi / 4.
template <typename T>
struct SinRest;
template <>
struct SinRest<float> {
  static constexpr float kCoefficients[] = {
      -0x1.9ac98ep-13f,
      0x1.110c28p-7f,
      -0x1.555552p-3f,
  };
};
template <>
struct SinRest<double> {
  static constexpr double kCoefficients[] = {
      0x1.5e0b05bff20f2p-33,
      -0x1.ae600aca92c64p-26,
      0x1.71de379654304p-19,
      -0x1.a01a019e83816p-13,
      0x1.1111111110bb2p-7,
      -0x1.5555555555555p-3,
  };
};

// cos(r) = 1 - r^2 / 2 + r^4 P(r^2), |r| <= pi / 4.
template <typename T>
struct CosRest;
template <>
struct CosRest<float> {
  static constexpr float kCoefficients[] = {
      0x1.9bd88p-16f,
      -0x1.6c12d2p-10f,
      0x1.555554p-5f,
  };
};
template <>
struct CosRest<double> {
  static constexpr double kCoefficients[] = {
      -0x1.907d8f29fe831p-37,
      0x1.1eeb68cd22f56p-29,
      -0x1.27e4fa17bf139p-22,
      0x1.a01a019f4e9b4p-16,
      -0x1.6c16c16c16967p-10,
      0x1.5555555555555p-5,
  };
};

// atan(x) = x + x^3 P(x^2), |x| <= tan(pi / 8).
template <typename T>
struct AtanRest;
template <>
struct AtanRest<float> {
  static constexpr float kCoefficients[] = {
      -0x1.08432cp-4f,
      0x1.b80f88p-4f,
      -0x1.24202ep-3f,
      0x1.99973p-3f,
      -0x1.555554p-2f,
  };
};
template <>
struct AtanRest<double> {
  static constexpr double kCoefficients[] = {
      -0x1.3a2b7a07caea9p-6,
      0x1.41603647c7a7cp-5,
      -0x1.a098bb6ba4941p-5,
      0x1.dfe61e80903d2p-5,
      -0x1.10fa75382537fp-4,
      0x1.3b1262d95579ep-4,
      -0x1.745d0b26b83e7p-4,
      0x1.c71c7185314cbp-4,
      -0x1.24924924360cbp-3,
      0x1.999999999934ap-3,
      -0x1.5555555555555p-2,
  };
};

// asin(x) = x + x^3 P(x^2), |x| <= 1/2.
template <typename T>
struct AsinRest;
template <>
struct AsinRest<float> {
  static constexpr float kCoefficients[] = {
      0x1.1400e6p-5f,
      0x1.18f6cep-6f,
      0x1.fd8e14p-6f,
      0x1.6d5bb4p-5f,
      0x1.333432p-4f,
      0x1.555554p-3f,
  };
};
template <>
struct AsinRest<double> {
  static constexpr double kCoefficients[] = {
      0x1.d733cdf1e8b12p-6,
      -0x1.e6c3690d9eb0ap-7,
      0x1.1d2052b6eb685p-6,
      0x1.659ea8825b1cap-8,
      0x1.52434da33ae58p-7,
      0x1.78262197d4e16p-7,
      0x1.c9cf0c30fbb9p-7,
      0x1.1c4d35a7a771ap-6,
      0x1.6e8bb1c9c50aep-6,
      0x1.f1c71c1da63a6p-6,
      0x1.6db6db6e32015p-5,
      0x1.3333333332ec9p-4,
      0x1.5555555555556p-3,
  };
};

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_MATH_COEFFICIENTS_H_
