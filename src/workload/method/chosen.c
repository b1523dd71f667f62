#include "workload/method/chosen.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct chosen_value *find(const struct chosen *chosen, const char *name)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (strcmp(chosen->values[i].name, name) == 0)
            return &chosen->values[i];
    return NULL;
}

bool chosen_keep(struct chosen *chosen, const char *name, int64_t value)
{
    if (chosen->count == chosen->capacity) {
        const size_t capacity = chosen->capacity ? 2 * chosen->capacity : 16;
        struct chosen_value *values = realloc(chosen->values, capacity * sizeof *values);
        if (!values)
            return false;
        chosen->values = values;
        chosen->capacity = capacity;
    }
    char *copy = strdup(name);
    if (!copy)
        return false;
    chosen->values[chosen->count++] = (struct chosen_value){copy, value};
    return true;
}

int64_t chosen_value(struct chosen *chosen, struct shoal_device *device,
                     const struct tuning_question *question)
{
    struct text name = {0};
    if (!chosen)
        return tuning_ask(device, question);
    text_printf(&name, "%s %s", question->program, question->name);
    const struct chosen_value *known = name.failed ? NULL : find(chosen, name.data);
    int64_t value = known ? known->value : 0;
    if (!known || value < question->min || value > question->max) {
        value = tuning_ask(device, question);
        if (!known)
            chosen->failed |= name.failed || !chosen_keep(chosen, name.data, value);
    }
    text_free(&name);
    return value;
}

void chosen_defines(struct chosen *chosen, struct shoal_device *device, const struct shoal_program_desc *desc,
                    const char *sizes, const struct tuned_define *wanted, size_t count,
                    struct defines *defines)
{
    for (size_t i = 0; i < count; i++) {
        const struct tuning_question question = define_question(desc, wanted[i].name, sizes, wanted[i].value,
                                                                wanted[i].tries, wanted[i].try_count);
        define_add(defines, wanted[i].name, chosen_value(chosen, device, &question));
    }
}

void chosen_print(const struct chosen *chosen, struct text *text)
{
    for (size_t i = 0; i < chosen->count; i++)
        text_printf(text, "%s=%" PRId64 "\n", chosen->values[i].name, chosen->values[i].value);
}

static bool parse_line(struct chosen *chosen, char *line)
{
    char *equals = strrchr(line, '='), *end;
    if (!equals || equals == line)
        return false;
    errno = 0;
    const int64_t value = strtoll(equals + 1, &end, 10);
    if (errno || end == equals + 1 || *end)
        return false;
    *equals = '\0';
    return !find(chosen, line) && chosen_keep(chosen, line, value);
}

bool chosen_parse(struct chosen *chosen, const char *text)
{
    char *copy = strdup(text), *rest = copy;
    bool good = copy != NULL;
    for (char *line; good && (line = strsep(&rest, "\n"));)
        good = !*line || parse_line(chosen, line);
    free(copy);
    return good;
}

bool chosen_covers(const struct chosen *chosen, const struct chosen *other)
{
    for (size_t i = 0; i < other->count; i++) {
        const struct chosen_value *value = find(chosen, other->values[i].name);
        if (!value || value->value != other->values[i].value)
            return false;
    }
    return true;
}

void chosen_free(struct chosen *chosen)
{
    for (size_t i = 0; i < chosen->count; i++)
        free(chosen->values[i].name);
    free(chosen->values);
    *chosen = (struct chosen){0};
}
