/* Decimal numbers of texts, whatever the locale of the program. */
#ifndef SHOAL_OBJECTIVE_NUMBER_H
#define SHOAL_OBJECTIVE_NUMBER_H

/* Reads a number as C writes it in decimal, without a sign; returns the place behind it, or `text` where
 * there is none. Too large a number is infinite. */
const char *number_read(const char *text, double *value);

#endif
