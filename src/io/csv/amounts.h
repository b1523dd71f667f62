/* Private: numbers as people write them, with groups of thousands, decimal commas, and a sign of percent or
 * of a currency. One field does not show whether the comma of 1,234 separates thousands: its column does, see
 * notation.h.
 */
#ifndef SHOAL_IO_CSV_AMOUNTS_H
#define SHOAL_IO_CSV_AMOUNTS_H

#include "io/cursor.h"

struct amount {
    char group;       /* between thousands: ',' '.' '_' '\'', ' ' for all blanks; '\0': there are no groups */
    char decimal;     /* '.' or ','; '\0': there is none */
    bool is_open;     /* a single group follows a comma or point, which may instead be a decimal mark */
    const char *sign; /* "%", "$" ...; NULL: there is none */
    double value;     /* value; where is_open, read with groups */
    double open_value; /* value with the mark of an open amount as decimal mark; otherwise equal to `value` */
};

/* Reads a field without its quotes; false: it is no number of this kind. Plain numbers are accepted, too. */
bool amount_read(struct word field, struct amount *amount);
/* Can the field be nothing but a number, whatever its column has? "1,234.5" is a number, while "12 %", "10
 * 000" and "192.168.100.200" may be words among words. */
bool amount_is_sure(const struct amount *amount);

#endif
