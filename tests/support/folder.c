#include "test.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256];

int test_begin(void **state)
{
    (void)state;
    test_error = (struct shoal_error){0};
    test_label("%s", "");
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/shoal-test-XXXXXX", base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

int test_end(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_folder(void)
{
    return folder;
}

const char *test_path(const char *format, ...)
{
    static char paths[8][512];
    static unsigned next;
    char *path = paths[next++ % 8];
    int used = snprintf(path, sizeof paths[0], "%s/", folder);
    va_list list;
    va_start(list, format);
    vsnprintf(path + used, sizeof paths[0] - (size_t)used, format, list);
    va_end(list);
    return path;
}

void test_write_file(const char *path, const void *data, size_t bytes)
{
    char parent[512];
    snprintf(parent, sizeof parent, "%s", path);
    for (char *slash = strchr(parent + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(parent, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

void test_write_text(const char *path, const char *text)
{
    test_write_file(path, text, strlen(text));
}

size_t test_count_files(const char *path, const char *suffix, char *first, size_t size)
{
    DIR *dir = opendir(path);
    size_t count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name), end = strlen(suffix);
        if (entry->d_name[0] == '.' || length < end || strcmp(entry->d_name + length - end, suffix) != 0)
            continue;
        if (count++ == 0 && first)
            snprintf(first, size, "%s/%s", path, entry->d_name);
    }
    if (dir)
        closedir(dir);
    return count;
}
