/* Decimal numbers of texts, whatever the locale of the program. */
#ifndef SHOAL_IO_DECIMAL_H
#define SHOAL_IO_DECIMAL_H

#include <stdbool.h>

/* Reads a decimal number in the form of C, "-1.5e3", correctly rounded, from a text that ends with a NUL.
 * Returns the position after the number, or `text` if there is no number. A number that is too large is
 * infinite. Numbers of up to 15 digits take some 10 ns. */
const char *decimal_read(const char *text, double *value);

/* Writes the fewest digits that read back as the same number, in single precision if `is_single`; returns the
 * number of characters. */
enum { DECIMAL_MOST = 40 };
int decimal_write(char digits[DECIMAL_MOST], double value, bool is_single);

/* Returns a struct with the digits that decimal_write gives, for messages:
 * printf("%s", decimal_text(x, false).s). */
struct decimal_text {
    char s[DECIMAL_MOST];
};
struct decimal_text decimal_text(double value, bool is_single);

#endif
