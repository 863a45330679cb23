#!/usr/bin/env python3
"""Computes the polynomials of device_math.h and writes math_coefficients.h.

Each is the polynomial through the Chebyshev nodes of its interval, which is within a small factor of the best there is,
found in 60 digits and then rounded. Needs mpmath; run by hand, as the result is committed:

    gpu/device_code/fit_coefficients.py > gpu/device_code/math_coefficients.h

Standard error gets the largest error of each polynomial with the rounded coefficients, in units of the type's epsilon,
relative to the function that the polynomial is a part of.
"""

import sys

from mpmath import mp, mpf

mp.dps = 60


def exp_rest(r):
    """(exp(r) - 1 - r) / r^2"""
    if abs(r) > mpf("0.05"):
        return (mp.expm1(r) - r) / r**2
    return mp.nsum(lambda k: r**k / mp.factorial(k + 2), [0, 25])


def exp2_rest(r):
    """(2^r - 1) / r"""
    if r == 0:
        return mp.log(2)
    return mp.expm1(r * mp.log(2)) / r


def atanh_rest(first):
    """The series 1/first + p / (first + 2) + ..., of which with p = s^2 atanh(s) = s + s^3 / 3 + ... is made."""
    def value(p):
        # |p| <= 0.03: 60 terms are 90 digits.
        return mp.fsum(p**k / (first + 2 * k) for k in range(60))
    return value


def normal_tail_factor(t):
    """With x = 3 (1 + t) / (1 - t): the probability that a standard normal variable is above x, times (x + 3) exp(x^2 /
    2)."""
    x = 3 * (1 + t) / (1 - t)
    return mp.erfc(x / mp.sqrt(2)) / 2 * mp.exp(x * x / 2) * (x + 3)


def erf_rest(p):
    """erf(x) / x - 1 of p = x^2"""
    if p == 0:
        return 2 / mp.sqrt(mp.pi) - 1
    x = mp.sqrt(p)
    return mp.erf(x) / x - 1


def sin_rest(p):
    """(sin(r) - r) / r^3 of p = r^2, |p| < 1"""
    return mp.fsum((-1) ** (k + 1) * p**k / mp.factorial(2 * k + 3) for k in range(25))


def cos_rest(p):
    """(cos(r) - 1 + r^2 / 2) / r^4 of p = r^2, |p| < 1"""
    return mp.fsum((-1) ** k * p**k / mp.factorial(2 * k + 4) for k in range(25))


def atan_rest(p):
    """(atan(x) - x) / x^3 of p = x^2, |p| < 0.2"""
    return mp.fsum((-1) ** (k + 1) * p**k / (2 * k + 3) for k in range(90))


def asin_rest(p):
    """(asin(x) - x) / x^3 of p = x^2, |p| < 0.3"""
    return mp.fsum(mp.binomial(2 * k + 2, k + 1) / mpf(4) ** (k + 1) / (2 * k + 3) * p**k for k in range(110))


HALF_LN2 = mp.log(2) / 2 * mpf("1.0001")
# s = (m - 1) / (m + 1) for m up to sqrt(2), squared.
ATANH_LIMIT = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mpf("1.0001")
ANGLE_LIMIT = (mp.pi / 4) ** 2 * mpf("1.0001")
ATAN_LIMIT = mp.tan(mp.pi / 8) ** 2 * mpf("1.0001")


def tail_range(largest):
    return [mpf(-1), (mpf(largest) - 3) / (mpf(largest) + 3)]


# name, comment, function, interval, coefficients of f32 and of f64, weight of the error: what the polynomial is
# multiplied with in the result, relative to the result.
FITS = [
    ("ExpRest", "exp(r) = 1 + r + r^2 P(r), |r| <= ln(2) / 2", exp_rest, [-HALF_LN2, HALF_LN2], 5, 11,
     lambda r, v: r**2 / mp.exp(r)),
    ("Exp2Rest", "2^r = 1 + r P(r), |r| <= 1/2", exp2_rest, [mpf(-0.5), mpf(0.5)], 6, 13,
     lambda r, v: r / mp.power(2, r)),
    ("LogRest", "log(m) = 2 s + s^3 P(s^2), s = (m - 1) / (m + 1), 1/2 <= m^2 <= 2", lambda p: 2 * atanh_rest(3)(p),
     [mpf(0), ATANH_LIMIT], 3, 7, lambda p, v: p / 2),
    ("LogTail", "atanh(s) = s + s^3 / 3 + s^5 P(s^2), for the same s", atanh_rest(5), [mpf(0), ATANH_LIMIT], 3, 7,
     lambda p, v: p**2 * 2**8),
    ("NormalTailFactor",
     "the normal distribution's tail above x is exp(-x^2 / 2) P((x - 3) / (x + 3)) / (x + 3), 0 <= x <= 15 (f64: 40)",
     normal_tail_factor, None, 11, 28, lambda t, v: 1 / v),
    ("ErfRest", "erf(x) = x + x P(x^2), |x| <= 1", erf_rest, [mpf(0), mpf("1.0001")], 8, 16, lambda p, v: 1 / (1 + v)),
    ("SinRest", "sin(r) = r + r^3 P(r^2), |r| <= pi / 4", sin_rest, [mpf(0), ANGLE_LIMIT], 3, 6,
     lambda p, v: p / (1 + p * v)),
    ("CosRest", "cos(r) = 1 - r^2 / 2 + r^4 P(r^2), |r| <= pi / 4", cos_rest, [mpf(0), ANGLE_LIMIT], 3, 6,
     lambda p, v: p**2 / (1 - p / 2 + p**2 * v)),
    ("AtanRest", "atan(x) = x + x^3 P(x^2), |x| <= tan(pi / 8)", atan_rest, [mpf(0), ATAN_LIMIT], 5, 11,
     lambda p, v: p / (1 + p * v)),
    ("AsinRest", "asin(x) = x + x^3 P(x^2), |x| <= 1/2", asin_rest, [mpf(0), mpf("0.25001")], 6, 13,
     lambda p, v: p / (1 + p * v)),
]


def round_to(value, bits):
    """Nearest number with so many bits."""
    if value == 0:
        return mpf(0)
    _, exponent = mp.frexp(value)
    scale = mpf(2) ** (bits - exponent)
    return mp.nint(value * scale) / scale


def literal(value, is_float):
    text = float(value).hex()
    # Python writes all digits of a double.
    head, exponent = text.split("p")
    if "." in head:
        head = head.rstrip("0").rstrip(".")
    return f"{head}p{exponent}" + ("f" if is_float else "")


def fit(function, interval, count):
    return mp.chebyfit(function, interval, count)  # highest power first


def largest_error(coefficients, function, interval, weight):
    worst = mpf(0)
    low, high = interval
    for i in range(301):
        at = low + (high - low) * i / 300
        value = function(at)
        worst = max(worst, abs((mp.polyval(coefficients, at) - value) * weight(at, value)))
    return worst


def main():
    print("// Do not edit: made by fit_coefficients.py, which says how.")
    print("//")
    print("// Polynomials of device_math.h, the highest power first.")
    print("#ifndef TFRT_GPU_DEVICE_CODE_MATH_COEFFICIENTS_H_")
    print("#define TFRT_GPU_DEVICE_CODE_MATH_COEFFICIENTS_H_")
    print("\nnamespace tfrt::gpu::device {")
    for name, comment, function, interval, float_count, double_count, weight in FITS:
        print(f"\n// {comment}.")
        print(f"template <typename T>\nstruct {name};")
        for type_name, bits, count in (("float", 24, float_count), ("double", 53, double_count)):
            used = interval or tail_range(15 if bits == 24 else 40)
            rounded = [round_to(c, bits) for c in fit(function, used, count)]
            error = largest_error(rounded, function, used, weight)
            print(f"{name}<{type_name}>: {count} coefficients, error {mp.nstr(error * 2**(bits - 1), 3)} epsilon",
                  file=sys.stderr)
            print(f"template <>\nstruct {name}<{type_name}> {{")
            print(f"  static constexpr {type_name} kCoefficients[] = {{")
            for c in rounded:
                print(f"      {literal(c, bits == 24)},")
            print("  };\n};")
    print("\n}  // namespace tfrt::gpu::device")
    print("\n#endif  // TFRT_GPU_DEVICE_CODE_MATH_COEFFICIENTS_H_")


if __name__ == "__main__":
    main()
