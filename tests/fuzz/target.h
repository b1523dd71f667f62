/* What a fuzz target is: takes any bytes, keeps nothing, and aborts where a promise is broken.
 *
 * Every target is built twice: with driver.c, which runs the files of corpus/ in every build, and, with
 * -Dfuzz=true and clang, with libFuzzer. */
#ifndef SHOAL_TESTS_FUZZ_TARGET_H
#define SHOAL_TESTS_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stays on in release builds. */
#define REQUIRE(condition)                                                                                   \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                  \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

/* The input as a string of its own, so that a read past its end is seen. */
static inline char *input_string(const uint8_t *data, size_t size)
{
    char *string = malloc(size + 1);
    REQUIRE(string);
    if (size)
        memcpy(string, data, size);
    string[size] = '\0';
    return string;
}

/* Copy of the input with `extra` bytes of room behind it. */
static inline uint8_t *input_block(const uint8_t *data, size_t size, size_t extra)
{
    uint8_t *block = calloc(1, size + extra ? size + extra : 1);
    REQUIRE(block);
    if (size)
        memcpy(block, data, size);
    return block;
}

#endif
