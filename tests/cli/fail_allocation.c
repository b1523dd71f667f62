/* Makes one allocation fail: preloaded into the command (LD_PRELOAD). $FAIL_ALLOCATION is its number, from 1;
 * 0: none. At the end the count of all is written to the file $COUNT_ALLOCATIONS, where that is set. */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* As glibc names its own. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static atomic_long allocations;
static long failing;
static bool begun;

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("FAIL_ALLOCATION");
    failing = number ? atol(number) : 0;
    unsetenv("LD_PRELOAD"); /* not in what the command starts */
    begun = true;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("COUNT_ALLOCATIONS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", (long)allocations);
        fclose(file);
    }
}

static bool fails(void)
{
    if (!begun || atomic_fetch_add(&allocations, 1) + 1 != failing)
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(old, bytes);
}
