/* Finds cases in all lists, by place and by pattern. */
#include "bench/runner/bench.h"

#include <fnmatch.h>
#include <string.h>

size_t bench_case_count(void)
{
    size_t count = 0;
    for (size_t f = 0; bench_folders[f]; f++)
        for (size_t i = 0; bench_folders[f][i]; i++)
            count += bench_folders[f][i]->count;
    return count;
}

const struct bench_case *bench_case_at(size_t index)
{
    for (size_t f = 0; bench_folders[f]; f++)
        for (size_t i = 0; bench_folders[f][i]; i++) {
            if (index < bench_folders[f][i]->count)
                return &bench_folders[f][i]->cases[index];
            index -= bench_folders[f][i]->count;
        }
    return NULL;
}

bool bench_matches(const char *pattern, const char *name)
{
    if (!pattern)
        return true;
    if (strpbrk(pattern, "*?["))
        return fnmatch(pattern, name, 0) == 0;
    size_t length = strlen(pattern);
    return strncmp(pattern, name, length) == 0 && (name[length] == 0 || name[length] == '.');
}
