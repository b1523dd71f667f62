#include "compute/program/source.h"

#include "base/input.h"
#include "base/params.h"
#include "compute/backend.h"
#include "compute/program/embedded.h"
#include "compute/program/words.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INCLUDES = 64 };

const char *source_embedded(const char *name)
{
    for (const struct embedded_file *file = embedded_files; file->name; file++)
        if (strcmp(file->name, name) == 0)
            return file->text;
    return NULL;
}

struct flattener {
    const struct shoal *shoal;
    const struct shoal_program_params *params; /* may be NULL */
    struct text out;
    char *seen[MAX_INCLUDES]; /* names of the files that are already included */
    size_t seen_count;
    struct shoal_error *error;
};

/* Whether a file name stays within the kernel folder and needs no escaping in a #line. */
static bool name_is_plain(const char *name)
{
    if (!*name || *name == '/' || strstr(name, ".."))
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && !strchr("_-./+", *name))
            return false;
    return true;
}

bool source_has_folder(const struct shoal *shoal)
{
    return shoal && shoal->kernel_dir;
}

enum shoal_status source_of_folder(const struct shoal *shoal, const char *name, char **text,
                                   struct shoal_error *error)
{
    struct text path = {0};
    size_t bytes = 0;
    enum shoal_status status = SHOAL_OK;
    *text = NULL;
    if (!name_is_plain(name))
        return SHOAL_OK;
    text_printf(&path, "%s/%s", shoal->kernel_dir, name);
    *text = path.failed ? NULL : input_read(path.data, INPUT_TEXT_MOST, &bytes);
    const int code = path.failed ? ENOMEM : errno;
    if (!*text && code == ENOMEM)
        status = fail_host_memory(error);
    else if (!*text && code != ENOENT)
        status = fail_call(error, SHOAL_IO, "read", code, "cannot read kernel file %s: %s", path.data,
                           input_reason(code));
    else if (*text && strlen(*text) != bytes)
        status = fail(error, SHOAL_IO, "kernel file %s holds a NUL byte: it is not a text", path.data);
    text_free(&path);
    if (status) {
        free(*text);
        *text = NULL;
    }
    return status;
}

/* Finds the text of file `name` in the kernel folder or among the embedded files. *owned: memory that the
 * caller frees. place: "file:line" of the #include, for messages; NULL: there is none. */
static enum shoal_status load(const struct shoal *shoal, const char *name, const char *place,
                              const char **text, char **owned, struct shoal_error *error)
{
    *owned = NULL;
    if (!name_is_plain(name))
        return fail(error, SHOAL_INVALID,
                    "%s%skernel file \"%.100s\": the name must be relative, without \"..\"",
                    place ? place : "", place ? ": " : "", name);
    if (source_has_folder(shoal)) {
        const enum shoal_status status = source_of_folder(shoal, name, owned, error);
        if (status)
            return status;
    }
    *text = *owned ? *owned : source_embedded(name);
    if (!*text)
        return fail(error, SHOAL_INVALID, "%s%sthere is no kernel file \"%s\"", place ? place : "",
                    place ? ": " : "", name);
    return SHOAL_OK;
}

bool source_include(const char *line, size_t length, char *name, size_t size)
{
    const char *end = line + length;
    while (line < end && isblank((unsigned char)*line))
        line++;
    if (line == end || *line++ != '#')
        return false;
    while (line < end && isblank((unsigned char)*line))
        line++;
    if ((size_t)(end - line) < 7 || memcmp(line, "include", 7) != 0)
        return false;
    line += 7;
    while (line < end && isblank((unsigned char)*line))
        line++;
    if (line == end || *line++ != '"')
        return false;
    const char *quote = memchr(line, '"', (size_t)(end - line));
    if (!quote || (size_t)(quote - line) >= size)
        return false;
    memcpy(name, line, (size_t)(quote - line));
    name[quote - line] = '\0';
    return true;
}

bool source_marker(const char *line, size_t length, unsigned long *number, char name[256])
{
    char copy[300];
    if (length >= sizeof copy || length < 5 || memcmp(line, "#line", 5) != 0)
        return false;
    memcpy(copy, line, length);
    copy[length] = '\0';
    return sscanf(copy, "#line %lu \"%255[^\"]\"", number, name) == 2;
}

/* Skips, in a file that was flattened before (as by `shoal kernels --dump`), the part that holds the text of
 * a file that is replaced now: from the marker of this part to the next marker that names `parent`, whose
 * line is returned. */
static const char *skip_part(const char *text, const char *parent)
{
    while (*text) {
        size_t length = line_length(text);
        unsigned long number;
        char name[256];
        if (source_marker(text, length, &number, name) && strcmp(name, parent) == 0)
            break;
        text += length + (text[length] != 0);
    }
    return text;
}

static enum shoal_status add_text(struct flattener *f, const char *name, const char *shown, const char *text);

static const struct shoal_kernel_text *find_text(const struct flattener *f, const char *name)
{
    for (size_t i = 0; f->params && i < f->params->text_count; i++)
        if (strcmp(f->params->texts[i].file, name) == 0)
            return &f->params->texts[i];
    return NULL;
}

/* Returns a name for #line: the part of the caller's name, which may be any path, that needs no escaping. */
static const char *shown_name(const char *name)
{
    const char *slash = strrchr(name, '/');
    if (!name_is_plain(name) && slash)
        name = slash + 1;
    return name_is_plain(name) ? name : "kernel.cl";
}

static enum shoal_status add_include(struct flattener *f, const char *name, const char *place)
{
    for (size_t i = 0; i < f->seen_count; i++)
        if (strcmp(f->seen[i], name) == 0)
            return SHOAL_OK;
    const struct shoal_kernel_text *given = find_text(f, name);
    if (given)
        return add_text(f, name, shown_name(given->shown ? given->shown : name), given->text);
    const char *text;
    char *owned;
    enum shoal_status status = load(f->shoal, name, place, &text, &owned, f->error);
    if (!status)
        status = add_text(f, name, name, text);
    free(owned);
    return status;
}

/* Adds the text of file `name`. Messages of the compiler call this file `shown`. */
static enum shoal_status add_text(struct flattener *f, const char *name, const char *shown, const char *text)
{
    if (f->seen_count == MAX_INCLUDES)
        return fail(f->error, SHOAL_INVALID, "%s: more than %d files are included", name, MAX_INCLUDES);
    f->seen[f->seen_count] = strdup(name);
    if (!f->seen[f->seen_count])
        return fail_host_memory(f->error);
    f->seen_count++;
    text_printf(&f->out, "#line 1 \"%s\"\n", shown);
    unsigned number = 1;
    char inside[256], include[256];
    snprintf(inside, sizeof inside, "%s", shown);
    for (const char *line = text; *line; number++) {
        const size_t length = line_length(line);
        const bool has_feed = line[length];
        unsigned long marked;
        if (source_marker(line, length, &marked, include)) {
            if (marked == 1 && find_text(f, include)) {
                enum shoal_status status = add_include(f, include, NULL);
                if (status)
                    return status;
                line = skip_part(line + length + has_feed, inside);
                continue;
            }
            snprintf(inside, sizeof inside, "%s", include);
        }
        if (source_include(line, length, include, sizeof include)) {
            char place[300];
            snprintf(place, sizeof place, "%s:%u", shown, number);
            enum shoal_status status = add_include(f, include, place);
            if (status)
                return status;
            text_printf(&f->out, "#line %u \"%s\"\n", number + 1, shown);
        } else {
            text_append(&f->out, line, length);
            text_add(&f->out, "\n");
        }
        line += length + has_feed;
    }
    return f->out.failed ? fail_host_memory(f->error) : SHOAL_OK;
}

enum shoal_status source_flatten(const struct shoal *shoal, const char *file,
                                 const struct shoal_program_params *params, char **out,
                                 struct shoal_error *error)
{
    struct flattener f = {.shoal = shoal, .params = params, .error = error};
    enum shoal_status status;
    *out = NULL;
    if (params && params->text) {
        const char *name = shown_name(params->text_name ? params->text_name : file);
        status = add_text(&f, name, name, params->text);
    } else {
        status = add_include(&f, file, NULL);
    }
    for (size_t i = 0; i < f.seen_count; i++)
        free(f.seen[i]);
    if (status)
        text_free(&f.out);
    else
        *out = f.out.data;
    return status;
}

enum shoal_status shoal_kernel_source(const struct shoal *shoal, const char *file, char **text,
                                      struct shoal_error *error)
{
    if (!NEED(error, shoal, file, text))
        return SHOAL_INVALID;
    return source_flatten(shoal, file, NULL, text, error);
}

bool source_locate(const char *text, unsigned long physical, const char **name, int *name_length,
                   unsigned long *line)
{
    *name_length = 0;
    *line = 0;
    for (unsigned long at = 1; *text; at++) {
        unsigned long number;
        int start = 0;
        ++*line;
        if (sscanf(text, "#line %lu \"%n", &number, &start) == 1 && start) {
            *name = text + start;
            *name_length = (int)strcspn(*name, "\"\n");
            *line = number - 1;
        }
        if (at == physical)
            return *name_length > 0;
        text = next_line(text);
    }
    return false;
}
