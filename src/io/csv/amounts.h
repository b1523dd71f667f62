/* Private: numbers as people write them, with groups of thousands, decimal commas, and a sign of percent or
 * of a currency. A field alone does not show whether the comma of 1,234 separates thousands; other fields of
 * its column do (notation.h).
 */
#ifndef SHOAL_IO_CSV_AMOUNTS_H
#define SHOAL_IO_CSV_AMOUNTS_H

#include "io/cursor.h"

struct amount {
    /* mark between thousands: ',' '.' '_' '\'', ' ' for all blanks; '\0': there are no groups */
    char group;
    char decimal;     /* decimal mark, '.' or ','; '\0': there is none */
    bool is_open;     /* a single group follows a comma or point, which may instead be a decimal mark */
    const char *sign; /* "%", "$" and so on; NULL: there is no sign */
    double value;     /* the value; where is_open, the value if the mark separates groups */
    /* where is_open, the value if the mark is a decimal mark; otherwise equal to `value` */
    double open_value;
};

/* Reads a field without its quotes; false: the field is no number of this kind. Plain numbers are accepted,
 * too. */
bool amount_read(struct word field, struct amount *amount);
/* Whether the field is a number, whatever the other fields of its column are. "1,234.5" is a number, while
 * "12 %", "10 000" and "192.168.100.200" may be words among words. */
bool amount_is_sure(const struct amount *amount);

#endif
