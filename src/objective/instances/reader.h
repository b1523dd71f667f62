/* Private: reads numbers from the text formats of instances. */
#ifndef SHOAL_OBJECTIVE_INSTANCE_READER_H
#define SHOAL_OBJECTIVE_INSTANCE_READER_H

#include "objective/instances/instance.h"

struct instance_reader {
    const char *name; /* file name, for messages */
    const char *at;
    size_t line;
    struct shoal_error *error;
};

/* Reads a whole file; the caller frees the text. */
SHOAL_MUST_CHECK enum shoal_status instance_open(const char *path, char **text,
                                                 struct instance_reader *reader, struct shoal_error *error);
/* Fails with SHOAL_IO and the message "FILE: line N: ...". */
SHOAL_PRINTF(2, 3)
enum shoal_status instance_fail(const struct instance_reader *reader, const char *format, ...);
/* Checks that the rest of the file is long enough for `count` numbers or lines; what: name of these in
 * messages. SHOAL_IO: it is not. Call this before memory is allocated. */
SHOAL_MUST_CHECK enum shoal_status instance_holds(const struct instance_reader *reader, double count,
                                                  const char *what);
/* Checks that values up to `greatest` are exact in double. SHOAL_IO: they are not. */
SHOAL_MUST_CHECK enum shoal_status instance_exact(const struct instance_reader *reader, double greatest);
/* Skips blanks and line ends; false: the text ends. */
bool instance_next(struct instance_reader *reader);
/* Reads the next word as an integer in a range; what: name of the number in messages. The end of the text is
 * an error, too. */
SHOAL_MUST_CHECK enum shoal_status instance_whole(struct instance_reader *reader, const char *what,
                                                  double least, double most, double *value);
/* Reads any finite number. */
SHOAL_MUST_CHECK enum shoal_status instance_number(struct instance_reader *reader, const char *what,
                                                   double *value);
/* Reads `count` whole numbers of 32 bits; what: name of a number in messages. */
SHOAL_MUST_CHECK enum shoal_status instance_row(struct instance_reader *reader, const char *what,
                                                size_t count, double *numbers);
/* Checks that only blanks are left. */
SHOAL_MUST_CHECK enum shoal_status instance_end(struct instance_reader *reader);

#endif
