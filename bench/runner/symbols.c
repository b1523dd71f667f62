#include "bench/runner/symbols.h"

#include <dlfcn.h>
#include <string.h>

bool symbols_load(const char *file, const struct symbol *symbols, size_t count, void **library)
{
    *library = dlopen(file, RTLD_NOW);
    for (size_t i = 0; *library && i < count; i++) {
        void *symbol = dlsym(*library, symbols[i].name);
        if (!symbol)
            return false;
        /* ISO C has no conversion from an object pointer to a function pointer. */
        memcpy(symbols[i].place, &symbol, sizeof symbol);
    }
    return *library != NULL;
}
