/* Private: logarithms in loops that become vector code, which calls of log() prevent. */
#ifndef SHOAL_BASE_VECTORS_LOG_H
#define SHOAL_BASE_VECTORS_LOG_H

#include <stdint.h>
#include <string.h>

/* The logarithm of a normal number x > 0, within 2 ulp, with the same bits on all machines that compute
 * doubles as doubles: the method and the polynomial of FreeBSD's e_log.c. x = 2^k (1 + f) with 1 + f between
 * sqrt(1/2) and sqrt(2). */
static inline double vector_log(double x)
{
    const uint64_t one = 0x3FF0000000000000, least = 0x3FE6A09E00000000, /* the bits of 1 and sqrt(1/2) */
        fraction = 0x000FFFFFFFFFFFFF, large = 0x4330000000000000;       /* large: the bits of 2^52 */
    uint64_t bits, shifted;
    double m, k;
    memcpy(&bits, &x, sizeof bits);
    bits += one - least;
    shifted = bits >> 52 | large;
    bits = (bits & fraction) + least;
    memcpy(&m, &bits, sizeof m);
    memcpy(&k, &shifted, sizeof k);
    k -= 0x1p52 + 1023;
    const double f = m - 1, half = 0.5 * f * f, s = f / (2 + f), z = s * s, w = z * z;
    const double even = w * (3.999999999940941908e-01 +
                             w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01)),
                 odd = z * (6.666666666666735130e-01 +
                            w * (2.857142874366239149e-01 +
                                 w * (1.818357216161805012e-01 + w * 1.479819860511658591e-01)));
    return k * 6.93147180369123816490e-01 -
           ((half - (s * (half + (odd + even)) + k * 1.90821492927058770002e-10)) - f);
}

#endif
