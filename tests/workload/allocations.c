#include "allocations.h"

void *__real_malloc(size_t bytes);
void *__real_realloc(void *old, size_t bytes);
char *__real_strdup(const char *string);
char *__real_strndup(const char *string, size_t length);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
char *__wrap_strdup(const char *string);
char *__wrap_strndup(const char *string, size_t length);

atomic_uint allocation_countdown;
atomic_bool allocation_failed;

static bool fails(void)
{
    unsigned left = atomic_load(&allocation_countdown);
    while (left && !atomic_compare_exchange_weak(&allocation_countdown, &left, left - 1))
        continue;
    if (left != 1)
        return false;
    allocation_failed = true;
    return true;
}

void *__wrap_malloc(size_t bytes)
{
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return fails() ? NULL : __real_realloc(old, bytes);
}

char *__wrap_strdup(const char *string)
{
    return fails() ? NULL : __real_strdup(string);
}

char *__wrap_strndup(const char *string, size_t length)
{
    return fails() ? NULL : __real_strndup(string, length);
}
