/* Contracts of dialect.cl, which is no kernel file of the library. */
#ifndef SHOAL_TESTS_DIALECT_H
#define SHOAL_TESTS_DIALECT_H

#include <shoal/program.h>

struct dialect_mixed {
    uint64_t big;
    int64_t wide;
    uint32_t small;
    float real32;
};
_Static_assert(sizeof(struct dialect_mixed) == 24, "as in dialect.cl");

/* Without and with the entries that need 64-bit atomics. */
extern const struct shoal_program_desc dialect_program, dialect64_program;

/* The text of dialect.cl from $SHOAL_TEST_DIALECT, malloc'ed; NULL with a message on stderr. */
char *dialect_text(void);

#endif
