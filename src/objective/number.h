/* Reads decimal numbers independently of the locale. */
#ifndef SHOAL_OBJECTIVE_NUMBER_H
#define SHOAL_OBJECTIVE_NUMBER_H

/* Reads a decimal number in the form of C, without a sign. Returns the position after the number, or `text`
 * if there is no number. A number that is too large is infinite. */
const char *number_read(const char *text, double *value);

#endif
