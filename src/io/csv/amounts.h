/* Private: numbers as people write them, with thousands in groups, decimal commas, and a sign of percent or
 * of a currency. One field does not say whether the comma of 1,234 is for thousands: its column does, see
 * notation.h.
 */
#ifndef SHOAL_IO_CSV_AMOUNTS_H
#define SHOAL_IO_CSV_AMOUNTS_H

#include "io/cursor.h"

struct amount {
    char group;       /* between thousands: ',' '.' '_' '\'', ' ' for all blanks; '\0': there are no groups */
    char decimal;     /* '.' or ','; '\0': there is none */
    bool is_open;     /* there is one group behind a comma or point, which may be a decimal mark, too */
    const char *sign; /* "%", "$" ...; NULL: there is none */
    double value;     /* with groups where it is open */
    double open_value; /* value with the mark of an open amount as decimal mark; otherwise equal to `value` */
};

/* Reads a field without its quotes; false: it is no such number. Plain numbers are such, too. */
bool amount_read(struct word field, struct amount *amount);
/* Whether it can be nothing but a number, whatever else its column has: "1,234.5" is one, where "12 %",
 * "10 000" and "192.168.100.200" may be words among words. */
bool amount_is_sure(const struct amount *amount);

#endif
