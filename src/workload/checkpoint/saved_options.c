#include "workload/checkpoint/saved_options.h"

#include "base/error.h"
#include "base/input.h"
#include "workload/checkpoint/saved_files.h"
#include "workload/workload.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char section_name[] = "options";

/* A value of an option in the section. */
struct value {
    const void *data;
    size_t bytes;
};

struct number_text {
    char text[32];
};

static struct value value_of_text(const char *text)
{
    return (struct value){text ? text : "", text ? strlen(text) : 0};
}

static struct value value_of(const struct shoal_option *option, const void *params)
{
    const void *field = (const char *)params + option->offset;
    const char *text;
    int32_t choice;
    switch (option->type) {
    case SHOAL_OPTION_FLAG:
        return (struct value){field, sizeof(bool)};
    case SHOAL_OPTION_UINT:
        return (struct value){field, sizeof(uint64_t)};
    case SHOAL_OPTION_REAL:
        return (struct value){field, sizeof(double)};
    case SHOAL_OPTION_CHOICE:
        memcpy(&choice, field, sizeof choice);
        return value_of_text(option->choices[choice]);
    case SHOAL_OPTION_TEXT:
        break;
    }
    memcpy(&text, field, sizeof text);
    return value_of_text(text);
}

/* Save ------------------------------------------------------------------------------------------------- */

/* Appends data at offset `at` of a section; to NULL: only adds up the length. */
static size_t append(char *to, size_t at, const void *data, size_t bytes)
{
    if (to && bytes)
        memcpy(to + at, data, bytes);
    return at + bytes;
}

/* Writes the section: for each option its name with the NUL, the number of bytes (uint64), and the bytes of
 * the value. The first entry has an empty name, and its value is the age of the file. */
static size_t put_options(const struct shoal_workload *workload, const void *params, char *to)
{
    const uint8_t age = 1;
    const uint64_t age_bytes = sizeof age;
    size_t at = append(to, 0, "", 1);
    at = append(to, at, &age_bytes, sizeof age_bytes);
    at = append(to, at, &age, sizeof age);
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        const struct value value = value_of(option, params);
        const uint64_t bytes = value.bytes;
        at = append(to, at, option->name, strlen(option->name) + 1);
        at = append(to, at, &bytes, sizeof bytes);
        at = append(to, at, value.data, value.bytes);
    }
    return at;
}

enum shoal_status saved_options_add(const struct shoal_workload *workload, const void *params,
                                    struct checkpoint *checkpoint, struct shoal_error *error)
{
    const size_t bytes = put_options(workload, params, NULL);
    char *data = malloc(bytes ? bytes : 1);
    if (!data)
        return fail_host_memory(error);
    put_options(workload, params, data);
    checkpoint_add_copy(checkpoint, section_name, data, bytes);
    return SHOAL_OK;
}

/* Match ------------------------------------------------------------------------------------------------ */

static const struct old_option *old_of(const struct old_option *old, const struct shoal_option *option)
{
    for (; old && old->name; old++)
        if (strcmp(old->name, option->name) == 0)
            return old;
    return NULL;
}

/* Finds a value in a section; returns false where the section is damaged. value->data NULL: the option is not
 * in the section. */
static bool find_in(const struct checkpoint_section *section, const char *name, struct value *value)
{
    const char *at = section->data;
    size_t left = section->bytes;
    *value = (struct value){NULL, 0};
    while (left > 0) {
        const char *end = memchr(at, 0, left);
        uint64_t bytes;
        const size_t head = end ? (size_t)(end - at) + 1 + sizeof bytes : SIZE_MAX;
        if (head > left)
            return false;
        memcpy(&bytes, end + 1, sizeof bytes);
        if (bytes > left - head)
            return false;
        if (strcmp(at, name) == 0)
            *value = (struct value){at + head, (size_t)bytes};
        at += head + bytes;
        left -= head + (size_t)bytes;
    }
    return true;
}

/* Finds an option in an older file, which has a section for each option. */
static void find_section(const struct checkpoint *checkpoint, const struct shoal_option *option,
                         const struct old_option *old, struct value *value)
{
    char name[CHECKPOINT_NAME];
    snprintf(name, sizeof name, "--%.20s", old ? old->old_name : option->name);
    const struct checkpoint_section *section = checkpoint_find(checkpoint, name);
    if (!section)
        return;
    *value = (struct value){section->data, section->bytes};
    const char *const *choices = old && old->choices ? old->choices : option->choices;
    int32_t choice, count = 0;
    if (option->type != SHOAL_OPTION_CHOICE)
        return;
    while (choices[count])
        count++;
    *value = value_of_text("a choice unknown here");
    if (section->bytes == sizeof choice) {
        memcpy(&choice, section->data, sizeof choice);
        if (choice >= 0 && choice < count)
            *value = value_of_text(choices[choice]);
    }
}

/* The shortest text that reads back as the value. */
static void print_real(char *text, size_t size, double value)
{
    int digits = 6;
    do
        snprintf(text, size, "%.*g", digits, value);
    while (digits++ < 17 && strtod(text, NULL) != value);
}

static bool is_text(struct value value)
{
    const char *text = value.data;
    size_t i = 0;
    while (i < value.bytes && text[i] >= ' ' && text[i] <= '~')
        i++;
    return i == value.bytes;
}

/* Converts the text of a number, in memory of `room`; NaN means not set and becomes no text. */
static void convert_real(struct value *value, struct number_text *room)
{
    double real;
    if (value->bytes != sizeof real || is_text(*value))
        return;
    memcpy(&real, value->data, sizeof real);
    room->text[0] = '\0';
    if (!isnan(real))
        print_real(room->text, sizeof room->text, real);
    *value = value_of_text(room->text);
}

/* Replaces the default of older files by the default of today. */
static void renew_default(const struct checkpoint_section *section, const struct shoal_option *option,
                          const struct old_option *old, struct value *value)
{
    static const double unset = NAN;
    double real;
    if (option->type != SHOAL_OPTION_REAL || !old->was_default || value->bytes != sizeof real ||
        (section && section->bytes && !*(const char *)section->data))
        return;
    memcpy(&real, value->data, sizeof real);
    if (real == old->was_default)
        value->data = &unset;
}

/* Whether the value of a checkpoint is the default of older files for a UINT that has no effect beside the
 * other values of `params`. */
static bool is_idle_default(const struct shoal_workload *workload, size_t index, const struct old_option *old,
                            struct value value, const void *params, const void *defaults)
{
    uint64_t uint;
    if (!old || !old->was_default || workload->options[index].type != SHOAL_OPTION_UINT ||
        value.bytes != sizeof uint)
        return false;
    memcpy(&uint, value.data, sizeof uint);
    return uint == (uint64_t)old->was_default &&
           !option_has_effect(workload->options, workload->option_count, index, params, defaults);
}

/* In files without an age, the text old->implied_by also set a flag. Finds the value of this flag: true if
 * the file has the text. Returns false if the section is damaged. */
static bool find_implied(const struct checkpoint *checkpoint, const struct checkpoint_section *section,
                         const struct old_option *old, struct value *value)
{
    static const bool is_set = true;
    char name[CHECKPOINT_NAME];
    struct value age = {NULL, 0}, text = {NULL, 0};
    if (section && (!find_in(section, "", &age) || !find_in(section, old->implied_by, &text)))
        return false;
    snprintf(name, sizeof name, "--%.20s", old->implied_by);
    const struct checkpoint_section *own = section ? NULL : checkpoint_find(checkpoint, name);
    if (!age.bytes && (text.bytes || (own && own->bytes)))
        *value = (struct value){&is_set, sizeof is_set};
    return true;
}

/* The value of an option in files that lack the option. room: memory for a number. */
static struct value value_before(const struct shoal_option *option, const struct old_option *old,
                                 struct number_text *room)
{
    const double real = option->type == SHOAL_OPTION_REAL ? strtod(old->before, NULL) : 0;
    const uint64_t uint = option->type == SHOAL_OPTION_UINT ? strtoull(old->before, NULL, 10) : 0;
    switch (option->type) {
    case SHOAL_OPTION_REAL:
        memcpy(room->text, &real, sizeof real);
        return (struct value){room->text, sizeof real};
    case SHOAL_OPTION_UINT:
        memcpy(room->text, &uint, sizeof uint);
        return (struct value){room->text, sizeof uint};
    default:
        return value_of_text(old->before);
    }
}

/* Finds the value of an option in a checkpoint. room: memory for a text of the value. value->data NULL: the
 * checkpoint lacks the option. */
static enum shoal_status find_value(const struct checkpoint *checkpoint, const struct shoal_option *option,
                                    const struct old_option *old, struct value *value,
                                    struct number_text *room, struct shoal_error *error)
{
    const struct checkpoint_section *section = checkpoint_find(checkpoint, section_name);
    bool is_good = true;
    *value = (struct value){NULL, 0};
    if (section)
        is_good = find_in(section, option->name, value);
    if (section && is_good && !value->data && old)
        is_good = find_in(section, old->old_name, value);
    if (!section)
        find_section(checkpoint, option, old, value);
    if (is_good && value->data && old && old->was_real)
        convert_real(value, room);
    if (is_good && value->data && old)
        renew_default(section, option, old, value);
    if (is_good && !value->data && old && old->before)
        *value = value_before(option, old, room);
    if (is_good && old && old->implied_by)
        is_good = find_implied(checkpoint, section, old, value);
    return is_good ? SHOAL_OK : checkpoint_damaged(checkpoint, error);
}

static enum shoal_status check_absent(const struct shoal_workload *face, const struct checkpoint *checkpoint,
                                      struct shoal_error *error);

static void print_value(const struct shoal_option *option, struct value value, char *text, size_t size)
{
    uint8_t flag = 0;
    uint64_t uint = 0;
    double real = 0;
    snprintf(text, size, "a value unknown here");
    if (option->type == SHOAL_OPTION_FLAG && value.bytes == sizeof flag) {
        memcpy(&flag, value.data, sizeof flag);
        snprintf(text, size, "%s", flag ? "yes" : "no");
    } else if (option->type == SHOAL_OPTION_UINT && value.bytes == sizeof uint) {
        memcpy(&uint, value.data, sizeof uint);
        snprintf(text, size, "%llu", (unsigned long long)uint);
    } else if (option->type == SHOAL_OPTION_REAL && value.bytes == sizeof real) {
        memcpy(&real, value.data, sizeof real);
        if (isnan(real))
            snprintf(text, size, "unset");
        else
            print_real(text, size, real);
    } else if (option->type == SHOAL_OPTION_CHOICE || option->type == SHOAL_OPTION_TEXT) {
        const char *quote = option->type == SHOAL_OPTION_TEXT ? "\"" : "";
        snprintf(text, size, "%s%.*s%s", quote, (int)(value.bytes < 60 ? value.bytes : 60),
                 (const char *)value.data, quote);
    }
    for (char *c = text; *c; c++) /* a message has only one line */
        if ((unsigned char)*c < ' ')
            *c = '?';
}

static bool is_same(struct value a, struct value b)
{
    return a.bytes == b.bytes && (!a.bytes || memcmp(a.data, b.data, a.bytes) == 0);
}

/* How the file that an option names compares with the file of the checkpoint. FILE_SAME: the two files have
 * the same content, whatever their names are; if the checkpoint has no hash, they have the same name.
 * FILE_OTHER: another file. FILE_CHANGED: the same name, but another content. FILE_UNREADABLE: the same name,
 * but the file cannot be read. */
enum file_now { FILE_SAME, FILE_OTHER, FILE_CHANGED, FILE_UNREADABLE };

static enum file_now compare_files(const struct checkpoint *checkpoint, const struct shoal_option *option,
                                   struct value stored, struct value own, int *code)
{
    uint64_t then, now;
    *code = 0;
    const bool has_name = is_same(stored, own);
    if (!stored.bytes || !own.bytes || !saved_files_find(checkpoint, option->name, &then))
        return has_name ? FILE_SAME : FILE_OTHER;
    *code = file_hash(own.data, &now);
    if (*code)
        return has_name ? FILE_UNREADABLE : FILE_OTHER;
    return then == now ? FILE_SAME : has_name ? FILE_CHANGED : FILE_OTHER;
}

static void compare(const struct checkpoint *checkpoint, const struct shoal_option *option,
                    struct value stored, struct value own, struct differences *differences)
{
    char was[80], is[80];
    int code = 0;
    const enum file_now now = option->flags & SHOAL_OPTION_READS
                                  ? compare_files(checkpoint, option, stored, own, &code)
                              : is_same(stored, own) ? FILE_SAME
                                                     : FILE_OTHER;
    print_value(option, stored, was, sizeof was);
    print_value(option, own, is, sizeof is);
    if (now == FILE_CHANGED)
        differences_add(differences, "--%s %s as it was before its content changed", option->name, was);
    else if (now == FILE_UNREADABLE)
        differences_add(differences, "--%s %s, which cannot be read now (%s)", option->name, was,
                        input_reason(code));
    else if (now == FILE_OTHER)
        differences_add(differences, "--%s %s, not %s", option->name, was, is);
}

/* Whether an option need not be compared: the checkpoint lacks the option, old->before is the value in such
 * files, and the caller's parameters have the default. */
static bool is_unknown(const struct checkpoint *checkpoint, const struct shoal_option *option,
                       const struct old_option *old, const void *params, const void *defaults)
{
    struct shoal_error ignored = {0};
    struct number_text room;
    struct value stored;
    return old && old->before && !find_value(checkpoint, option, NULL, &stored, &room, &ignored) &&
           !stored.data && is_same(value_of(option, params), value_of(option, defaults));
}

enum shoal_status saved_options_compare(const struct shoal_workload *workload, const struct old_option *old,
                                        const void *params, const struct checkpoint *checkpoint,
                                        unsigned free_flags, struct differences *differences,
                                        struct shoal_error *error)
{
    void *defaults = malloc(workload->params_size);
    enum shoal_status status = defaults ? check_absent(workload, checkpoint, error) : fail_host_memory(error);
    if (defaults)
        workload->params_init(defaults);
    for (size_t i = 0; i < workload->option_count && !status; i++) {
        const struct shoal_option *option = &workload->options[i];
        struct number_text room;
        struct value stored;
        if (option->flags & free_flags)
            continue;
        status = find_value(checkpoint, option, old_of(old, option), &stored, &room, error);
        if (!status && is_unknown(checkpoint, option, old_of(old, option), params, defaults))
            continue;
        if (!status && stored.data &&
            is_idle_default(workload, i, old_of(old, option), stored, params, defaults))
            continue;
        if (!status)
            compare(checkpoint, option, stored.data ? stored : value_of(option, defaults),
                    value_of(option, params), differences);
    }
    free(defaults);
    return status;
}

void differences_add(struct differences *differences, const char *format, ...)
{
    enum { MOST = 700 }; /* most characters of the list: a message has room for about a thousand */
    va_list list;
    char one[240];
    va_start(list, format);
    vsnprintf(one, sizeof one, format, list);
    va_end(list);
    if (differences->text.length > MOST)
        differences->omitted++;
    else
        text_printf(&differences->text, "%s%s", differences->text.length ? "; " : "", one);
}

enum shoal_status differences_end(struct differences *differences, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    char more[40] = "";
    if (differences->omitted)
        snprintf(more, sizeof more, "; and %zu more", differences->omitted);
    if (differences->text.failed)
        status = fail_host_memory(error);
    else if (differences->text.length)
        status = fail(error, SHOAL_INVALID,
                      "checkpoint %s was made with %s%s: leave out what differs to resume it",
                      checkpoint->path, differences->text.data, more);
    text_free(&differences->text);
    return status;
}

/* Restore ---------------------------------------------------------------------------------------------- */

/* Index of the choice with this name; -1: there is no such choice. */
static int32_t choice_of(const struct shoal_option *option, struct value value)
{
    for (int32_t i = 0; option->choices[i]; i++)
        if (is_same(value_of_text(option->choices[i]), value))
            return i;
    return -1;
}

size_t option_size(const struct shoal_option *option)
{
    switch (option->type) {
    case SHOAL_OPTION_FLAG:
        return sizeof(bool);
    case SHOAL_OPTION_UINT:
        return sizeof(uint64_t);
    case SHOAL_OPTION_REAL:
        return sizeof(double);
    case SHOAL_OPTION_CHOICE:
        return sizeof(int32_t);
    case SHOAL_OPTION_TEXT:
        break;
    }
    return sizeof(char *);
}

static enum shoal_status fail_unknown(const struct checkpoint *checkpoint, const struct shoal_option *option,
                                      struct value stored, struct shoal_error *error)
{
    char shown[80];
    print_value(option, stored, shown, sizeof shown);
    return fail(error, SHOAL_INVALID,
                "checkpoint %s was made with --%s %s, which this version does not know%s", checkpoint->path,
                option->name, shown, SHOAL_THESES ? "" : ": this build is without theses");
}

/* Checks the options that only other builds have: a value must be among the choices that remain. */
static enum shoal_status check_absent(const struct shoal_workload *face, const struct checkpoint *checkpoint,
                                      struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (const struct shoal_option *option = workload_of(face)->remaining; option && option->name && !status;
         option++) {
        struct number_text room;
        struct value stored;
        status = find_value(checkpoint, option, NULL, &stored, &room, error);
        if (!status && stored.data && choice_of(option, stored) < 0)
            status = fail_unknown(checkpoint, option, stored, error);
    }
    return status;
}

static enum shoal_status restore(const struct checkpoint *checkpoint, const struct shoal_option *option,
                                 struct value stored, void *params, char **text, struct shoal_error *error)
{
    int32_t choice = 0;
    const void *from = stored.data;
    size_t bytes = stored.bytes;
    if (option->type == SHOAL_OPTION_CHOICE) {
        choice = choice_of(option, stored);
        from = &choice;
        bytes = choice < 0 ? 0 : sizeof choice;
    } else if (option->type == SHOAL_OPTION_TEXT) {
        *text = stored.bytes ? strndup(stored.data, stored.bytes) : NULL;
        if (stored.bytes && !*text)
            return fail_host_memory(error);
        from = text;
        bytes = sizeof *text;
    }
    if (bytes == option_size(option)) {
        memcpy((char *)params + option->offset, from, bytes);
        return SHOAL_OK;
    }
    return fail_unknown(checkpoint, option, stored, error);
}

/* Replaces idle defaults of older files in `params` by the defaults of today. */
static enum shoal_status drop_idle_defaults(const struct shoal_workload *workload,
                                            const struct old_option *old, const bool *given, void *params,
                                            struct shoal_error *error)
{
    void *defaults = malloc(workload->params_size);
    if (!defaults)
        return fail_host_memory(error);
    workload->params_init(defaults);
    for (size_t i = 0; i < workload->option_count; i++) {
        const struct shoal_option *option = &workload->options[i];
        if (!(given && given[i]) &&
            is_idle_default(workload, i, old_of(old, option), value_of(option, params), params, defaults))
            memcpy((char *)params + option->offset, (const char *)defaults + option->offset,
                   option_size(option));
    }
    free(defaults);
    return SHOAL_OK;
}

enum shoal_status saved_options_restore(const struct shoal_workload *workload, const struct old_option *old,
                                        const struct checkpoint *checkpoint, const bool *given, void *params,
                                        char **texts, struct shoal_error *error)
{
    enum shoal_status status = check_absent(workload, checkpoint, error);
    for (size_t i = 0; i < workload->option_count && !status; i++) {
        const struct shoal_option *option = &workload->options[i];
        struct number_text room;
        struct value stored;
        if (given && given[i])
            continue;
        status = find_value(checkpoint, option, old_of(old, option), &stored, &room, error);
        if (!status && stored.data)
            status = restore(checkpoint, option, stored, params, &texts[i], error);
    }
    return status ? status : drop_idle_defaults(workload, old, given, params, error);
}
