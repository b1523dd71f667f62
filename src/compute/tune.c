#include "compute/tune.h"

#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char file_name[] = "tuning.txt";

static struct tuning_row *find(const struct tuning *tuning, const char *key)
{
    for (size_t i = 0; i < tuning->count; i++)
        if (strcmp(tuning->rows[i].key, key) == 0)
            return &tuning->rows[i];
    return NULL;
}

static bool store(struct tuning *tuning, const char *key, int64_t value)
{
    struct tuning_row *row = find(tuning, key);
    if (row) {
        row->value = value;
        return true;
    }
    if (tuning->count == tuning->capacity) {
        size_t capacity = tuning->capacity ? 2 * tuning->capacity : 16;
        struct tuning_row *rows = realloc(tuning->rows, capacity * sizeof *rows);
        if (!rows)
            return false;
        tuning->rows = rows;
        tuning->capacity = capacity;
    }
    char *copy = strdup(key);
    if (!copy)
        return false;
    tuning->rows[tuning->count++] = (struct tuning_row){copy, value};
    return true;
}

/* "device|driver|program|define=value": the last '=' parts key and value. */
static bool parse_line(struct tuning *tuning, char *line)
{
    char *equals = strrchr(line, '=');
    if (!equals || equals == line)
        return false;
    char *end;
    errno = 0;
    int64_t value = strtoll(equals + 1, &end, 10);
    if (errno || end == equals + 1 || *end)
        return false;
    *equals = '\0';
    return store(tuning, line, value);
}

bool tuning_parse(struct tuning *tuning, const char *text, size_t *bad_lines)
{
    *bad_lines = 0;
    char *copy = strdup(text), *rest = copy;
    if (!copy)
        return false;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line && *line != '#')
            *bad_lines += !parse_line(tuning, line);
    free(copy);
    return true;
}

void tuning_free(struct tuning *tuning)
{
    for (size_t i = 0; i < tuning->count; i++)
        free(tuning->rows[i].key);
    free(tuning->rows);
    *tuning = (struct tuning){0};
}

static char *file_path(const struct shoal *shoal)
{
    struct text path = {0};
    text_printf(&path, "%s/%s", shoal->cache_dir, file_name);
    if (path.failed)
        text_free(&path);
    return path.data;
}

void tuning_load(struct shoal *shoal)
{
    char *path = shoal->cache_dir ? file_path(shoal) : NULL;
    if (!path)
        return;
    size_t bytes, bad_lines = 0;
    char *text = read_whole_file(path, &bytes);
    if (text && tuning_parse(shoal->tuning, text, &bad_lines) && bad_lines)
        shoal_log(shoal, SHOAL_LOG_WARNING,
                  "%s: %zu lines are not of the form key=integer; they are left out", path, bad_lines);
    else if (!text && errno != ENOENT && errno != ENOTDIR)
        shoal_log(shoal, SHOAL_LOG_WARNING, "%s: %s; default work-group sizes are used", path,
                  strerror(errno));
    free(text);
    free(path);
}

static bool make_key(const struct shoal_device *device, const char *program, const char *define,
                     struct text *key)
{
    text_printf(key, "%s %s|%s|%s|%s", device->info.backend, device->info.name, device->info.driver, program,
                define);
    if (key->failed)
        return false;
    for (char *c = key->data; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = ' ';
    return true;
}

bool shoal_tuning_get(struct shoal_device *device, const char *program, const char *define, int64_t *value)
{
    if (!device || !program || !define || !value)
        return false;
    struct text key = {0};
    bool found = false;
    if (make_key(device, program, define, &key)) {
        pthread_mutex_lock(&device->shoal->lock);
        const struct tuning_row *row = find(device->shoal->tuning, key.data);
        if (row)
            *value = row->value;
        found = row != NULL;
        pthread_mutex_unlock(&device->shoal->lock);
    }
    text_free(&key);
    return found;
}

/* Writes every row, those that another process stored meanwhile included. */
static int write_rows(struct shoal *shoal, const char *key, int64_t value)
{
    char *path = file_path(shoal);
    if (!path)
        return ENOMEM;
    size_t bytes, bad_lines;
    char *old = read_whole_file(path, &bytes);
    if (old)
        tuning_parse(shoal->tuning, old, &bad_lines);
    free(old);
    int code = store(shoal->tuning, key, value) ? 0 : ENOMEM;
    struct text out = {0};
    text_add(&out, "# Work-group sizes found by `shoal tune`: device|driver|program|define=value\n");
    for (size_t i = 0; i < shoal->tuning->count; i++)
        text_printf(&out, "%s=%" PRId64 "\n", shoal->tuning->rows[i].key, shoal->tuning->rows[i].value);
    if (out.failed)
        code = ENOMEM;
    if (!code && !make_folders(shoal->cache_dir))
        code = errno;
    if (!code) {
        const void *part = out.data;
        code = write_file_atomically(path, &part, &out.length, 1);
    }
    text_free(&out);
    free(path);
    return code;
}

enum shoal_status shoal_tuning_set(struct shoal_device *device, const char *program, const char *define,
                                   int64_t value, struct shoal_error *error)
{
    if (!device || !program || !define)
        return fail(error, SHOAL_INVALID, "shoal_tuning_set: a pointer is NULL");
    struct shoal *shoal = device->shoal;
    struct text key = {0};
    if (!make_key(device, program, define, &key)) {
        text_free(&key);
        return fail_host_memory(error);
    }
    pthread_mutex_lock(&shoal->lock);
    bool stored = store(shoal->tuning, key.data, value);
    int code = stored && shoal->cache_dir ? write_rows(shoal, key.data, value) : 0;
    pthread_mutex_unlock(&shoal->lock);
    text_free(&key);
    if (!stored || code == ENOMEM)
        return fail_host_memory(error);
    return code ? fail_call(error, SHOAL_IO, "write", code, "cannot write %s/%s: %s", shoal->cache_dir,
                            file_name, strerror(code))
                : SHOAL_OK;
}
