/* Functions of a library that is there on some machines only. */
#ifndef SHOAL_BENCH_SYMBOLS_H
#define SHOAL_BENCH_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

struct symbol {
    const char *name;
    void *place; /* of the pointer to the function */
};

/* Loads the library, which the caller closes with dlclose() also after a failure if it is not NULL, and sets
 * the pointers. False: there is no such library, or a function is missing. */
bool symbols_load(const char *file, const struct symbol *symbols, size_t count, void **library);

#endif
