/* Private: dates of ISO 8601 as numbers. */
#ifndef SHOAL_IO_CSV_DAYS_H
#define SHOAL_IO_CSV_DAYS_H

#include "io/cursor.h"

/* Days since 1970-01-01 of "2024-01-31", also with a time behind T or a blank: "18:30", "18:30:15.5", and Z.
 * False: it is no such date. */
bool day_read(struct word word, double *days);

#endif
