#include "io/decimal.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Powers of ten that are exact in double. Whole numbers up to 2^53 are exact, too, and one multiplication or
 * division of exact numbers is rounded correctly (W. D. Clinger, How to read floating point numbers
 * accurately, 1990). */
enum { EXACT_POWER = 22 };
static const double powers[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* The powers of five below 2^64. Products and quotients with digits fit into 128 bits. */
enum { MOST_FIVES = 27 };
static const uint64_t fives[MOST_FIVES + 1] = {1,
                                               5,
                                               25,
                                               125,
                                               625,
                                               3125,
                                               15625,
                                               78125,
                                               390625,
                                               1953125,
                                               9765625,
                                               48828125,
                                               244140625,
                                               1220703125,
                                               6103515625,
                                               30517578125,
                                               152587890625,
                                               762939453125,
                                               3814697265625,
                                               19073486328125,
                                               95367431640625,
                                               476837158203125,
                                               2384185791015625,
                                               11920928955078125,
                                               59604644775390625,
                                               298023223876953125,
                                               1490116119384765625,
                                               7450580596923828125};
__extension__ typedef unsigned __int128 wide;

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void find_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

struct decimal {
    uint64_t digits; /* the first 19 significant digits */
    int count, exponent;
    bool is_cut; /* there were more significant digits than 19 */
};

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads digits, and returns the position after them. step: 0 before the decimal point, -1 after it. A digit
 * that is kept adds `step` to the exponent, a digit that is dropped adds step + 1. */
static inline const char *take_digits(const char *c, int step, struct decimal *decimal)
{
    enum { MOST_DIGITS = 19, MOST_EXPONENT = 1 << 28 };
    for (; is_digit(*c); c++) {
        if (decimal->count < MOST_DIGITS) {
            decimal->digits = 10 * decimal->digits + (uint64_t)(*c - '0');
            decimal->count += decimal->digits != 0;
            decimal->exponent += step;
        } else {
            decimal->is_cut = true;
            if (decimal->exponent < MOST_EXPONENT)
                decimal->exponent += 1 + step;
        }
    }
    return c;
}

static const char *take_exponent(const char *c, int *exponent)
{
    enum { MOST_EXPONENT = 1 << 28 };
    const char *next = c + 1;
    const bool is_negative = *next == '-';
    int value = 0;
    next += *next == '-' || *next == '+';
    if (!is_digit(*next))
        return c;
    for (; is_digit(*next); next++)
        value = value < MOST_EXPONENT / 10 ? 10 * value + (*next - '0') : value;
    *exponent += is_negative ? -value : value;
    return next;
}

/* The double nearest to mantissa * 2^power; of two equally near doubles the even one. The mantissa is at
 * least 2^62; has_rest: the exact mantissa is larger by less than 1. */
static double rounded(uint64_t mantissa, bool has_rest, int power)
{
    const unsigned spare = !(mantissa >> 63);
    mantissa <<= spare; /* the new lowest bit is 0; has_rest stands for its exact value */
    const uint64_t below = mantissa & 0x7ff, half = 0x400;
    uint64_t whole = mantissa >> 11;
    whole += below > half || (below == half && (has_rest || whole % 2));
    return ldexp((double)whole, power + 11 - (int)spare);
}

/* Computes digits * 10^exponent with digits > 0, correctly rounded: |exponent| <= MOST_FIVES. */
static double scaled(uint64_t digits, int exponent)
{
    const int left = __builtin_clzll(digits);
    const uint64_t five = fives[exponent < 0 ? -exponent : exponent];
    const int five_left = __builtin_clzll(five);
    const uint64_t upper = digits << left, factor = five << five_left;
    if (exponent >= 0) {
        const wide product = (wide)upper * factor;
        return rounded((uint64_t)(product >> 64), (uint64_t)product != 0, 64 + exponent - left - five_left);
    }
    const wide dividend = (wide)upper << 63;
    const uint64_t quotient = (uint64_t)(dividend / factor);
    return rounded(quotient, (wide)quotient * factor != dividend, -63 + exponent - left + five_left);
}

const char *decimal_read(const char *text, double *value)
{
    struct decimal decimal = {.digits = 0};
    const bool is_negative = *text == '-';
    const char *const begin = text + (*text == '-' || *text == '+');
    const char *c = take_digits(begin, 0, &decimal);
    bool has_digits = c > begin;
    if (*c == '.') {
        const char *const fraction = c + 1;
        c = take_digits(fraction, -1, &decimal);
        has_digits = has_digits || c > fraction;
    }
    if (!has_digits)
        return text;
    if (*c == 'e' || *c == 'E')
        c = take_exponent(c, &decimal.exponent);
    if (!decimal.digits) {
        *value = 0;
        return c;
    }
    if (decimal.is_cut || decimal.exponent > MOST_FIVES || decimal.exponent < -MOST_FIVES) {
        pthread_once(&c_locale_once, find_c_locale);
        *value = strtod_l(text, NULL, c_locale);
        return c;
    }
    const bool is_exact = decimal.digits <= UINT64_C(1) << 53 && decimal.exponent <= EXACT_POWER &&
                          decimal.exponent >= -EXACT_POWER;
    const double whole = (double)decimal.digits;
    const double size = !is_exact              ? scaled(decimal.digits, decimal.exponent)
                        : decimal.exponent < 0 ? whole / powers[-decimal.exponent]
                                               : whole * powers[decimal.exponent];
    *value = is_negative ? -size : size;
    return c;
}

static int write_whole(char *digits, double value)
{
    char reversed[24];
    int count = 0, length = 0;
    uint64_t rest = (uint64_t)value;
    do
        reversed[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    while (count)
        digits[length++] = reversed[--count];
    digits[length] = '\0';
    return length;
}

int decimal_write(char digits[DECIMAL_MOST], double value, bool is_single)
{
    const int most = is_single ? FLT_DECIMAL_DIG : DBL_DECIMAL_DIG;
    const double whole_most = is_single ? 1e6 : 1e15; /* longer numbers are written with an exponent */
    int length = 0;
    if (!signbit(value) && value < whole_most && value == trunc(value))
        return write_whole(digits, value);
    pthread_once(&c_locale_once, find_c_locale);
    const locale_t before = uselocale(c_locale); /* the locale of the thread */
    for (int count = is_single ? FLT_DIG : DBL_DIG; count <= most; count++) {
        length = snprintf(digits, DECIMAL_MOST, "%.*g", count, value);
        if (is_single ? strtof(digits, NULL) == (float)value : strtod(digits, NULL) == value)
            break;
    }
    uselocale(before);
    return length;
}

struct decimal_text decimal_text(double value, bool is_single)
{
    struct decimal_text text;
    decimal_write(text.s, value, is_single);
    return text;
}
