#include "objective/number.h"
#include "io/decimal.h"

#include <ctype.h>

const char *number_read(const char *text, double *value)
{
    /* decimal_read also accepts signs and hexadecimal numbers, which are not numbers here */
    const char *digit = text + (*text == '.');
    if (!isdigit((unsigned char)*digit) || (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')))
        return text;
    return decimal_read(text, value);
}
