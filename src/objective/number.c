#include "objective/number.h"

#include <ctype.h>
#include <locale.h>
#include <stdlib.h>

const char *number_read(const char *text, double *value)
{
    /* strtod takes more: signs, blanks, hexadecimal, names. */
    const char *digit = text + (*text == '.');
    if (!isdigit((unsigned char)*digit) || (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')))
        return text;
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale == (locale_t)0)
        return text;
    char *behind;
    *value = strtod_l(text, &behind, locale);
    freelocale(locale);
    return behind;
}
