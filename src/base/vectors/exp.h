/* Private: powers of e in loops that become vector code, which calls of exp() prevent. */
#ifndef SHOAL_BASE_VECTORS_EXP_H
#define SHOAL_BASE_VECTORS_EXP_H

#include <stdint.h>
#include <string.h>

/* e^x for x between -700 and 700, within 1 ulp, with the same bits on all machines that compute doubles as
 * doubles: the method and the polynomial of FreeBSD's e_exp.c. x = k log(2) + r with |r| <= log(2) / 2. */
static inline double vector_exp(double x)
{
    const double large = 0x1.8p52; /* near it the last bits of a double hold an integer */
    const double shifted = x * 1.44269504088896338700e+00 + large, k = shifted - large;
    const double high = x - k * 6.93147180369123816490e-01, low = k * 1.90821492927058770002e-10,
                 r = high - low, t = r * r;
    const double c = r - t * (1.66666666666666019037e-01 +
                              t * (-2.77777777770155933842e-03 +
                                   t * (6.61375632143793436117e-05 +
                                        t * (-1.65339022054652515390e-06 + t * 4.13813679705723846039e-08))));
    const double power = 1 - ((low - r * c / (2 - c)) - high);
    uint64_t bits, exponent;
    double result;
    memcpy(&bits, &power, sizeof bits);
    memcpy(&exponent, &shifted, sizeof exponent);
    bits += exponent << 52;
    memcpy(&result, &bits, sizeof result);
    return result;
}

#endif
