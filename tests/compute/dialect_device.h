/* What the two halves of the dialect test share: test_dialect.c has integers, memory and atomics,
 * dialect_real.c the functions of real numbers. */
#ifndef SHOAL_TESTS_DIALECT_DEVICE_H
#define SHOAL_TESTS_DIALECT_DEVICE_H

#include "dialect.h"
#include "harness.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Builds for harness.device from the text of dialect.cl; `bits` is REAL. */
struct shoal_program *build(const struct shoal_program_desc *desc, int bits);
/* `groups` 0: enough for the last argument, n. */
void launch(struct shoal_program *program, const char *entry, size_t groups, const struct shoal_arg *args,
            size_t count);
/* Items that the functions are tried with. */
size_t item_count(void);

extern int real_bits; /* REAL of the last program built */

void test_reals(void **state);
void test_native(void **state);
void test_constants(void **state);

#endif
