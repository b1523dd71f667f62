/* Functions of a library that exists on some machines only. */
#ifndef SHOAL_BENCH_SYMBOLS_H
#define SHOAL_BENCH_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

struct symbol {
    const char *name;
    void *place; /* address of the pointer to the function */
};

/* Loads the library and sets the pointers. The caller closes the library with dlclose if it is not NULL, also
 * after a failure. False: there is no such library, or a function is missing. */
bool symbols_load(const char *file, const struct symbol *symbols, size_t count, void **library);

#endif
