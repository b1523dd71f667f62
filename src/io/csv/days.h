/* Private: dates of ISO 8601 as numbers. */
#ifndef SHOAL_IO_CSV_DAYS_H
#define SHOAL_IO_CSV_DAYS_H

#include "io/cursor.h"

/* Reads a date such as "2024-01-31" as the number of days since 1970-01-01, perhaps with a time after T or a
 * blank: "18:30", "18:30:15.5", and Z. False: the text is not a date of this form. */
bool day_read(struct word word, double *days);

#endif
