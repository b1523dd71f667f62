/* Reads the ranges of parameters from a text. */
#include "base/error.h"
#include "objective/model/model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Returns the first character `mark` outside of parentheses; the end of the text if there is none. */
static const char *find(const char *text, const char *end, char mark)
{
    int depth = 0;
    for (; text < end && (depth > 0 || *text != mark); text++)
        depth += (*text == '(') - (*text == ')' && depth > 0);
    return text;
}

static char *copy(const char *begin, const char *end)
{
    while (begin < end && isspace((unsigned char)*begin))
        begin++;
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    return strndup(begin, (size_t)(end - begin));
}

static enum shoal_status read_end(const char *name, const char *which, const char *begin, const char *end,
                                  double *value, struct shoal_error *error)
{
    struct shoal_error reason = {0};
    char *text = copy(begin, end);
    if (!text)
        return fail_host_memory(error);
    enum shoal_status status = expression_constant(text, value, &reason);
    text_clean(text, "");
    if (status == SHOAL_INVALID)
        status = fail(error, status, "the %s end of the range of %.40s, '%.40s', is no number: %s", which,
                      name, text, reason.message);
    else if (status)
        status = fail_host_memory(error);
    free(text);
    return status;
}

/* Reads one parameter from the text `text` .. `end`. */
static enum shoal_status read_parameter(const char *text, const char *end, struct shoal_model_parameter *out,
                                        struct shoal_error *error)
{
    const char *equals = find(text, end, '='), *colon = equals < end ? find(equals + 1, end, ':') : end;
    char *name = copy(text, equals);
    if (!name)
        return fail_host_memory(error);
    text_clean(name, "");
    out->name = name;
    if (!*name)
        return fail(error, SHOAL_INVALID, "a parameter has no name: write NAME=LOWER:UPPER");
    if (colon == end)
        return fail(error, SHOAL_INVALID, "parameter %.40s has no range: write %.40s=LOWER:UPPER", name,
                    name);
    enum shoal_status status = read_end(name, "lower", equals + 1, colon, &out->lower, error);
    return status ? status : read_end(name, "upper", colon + 1, end, &out->upper, error);
}

enum shoal_status model_list_read(const char *text, struct model_list *list, struct shoal_error *error)
{
    const char *end = text + strlen(text);
    enum shoal_status status = SHOAL_OK;
    *list = (struct model_list){.count = 0};
    for (bool is_last = false; !is_last && !status;) {
        const char *comma = find(text, end, ',');
        struct shoal_model_parameter *more =
            realloc(list->parameters, (list->count + 1) * sizeof *list->parameters);
        if (more) {
            list->parameters = more;
            list->parameters[list->count] = (struct shoal_model_parameter){.name = NULL};
            status = read_parameter(text, comma, &list->parameters[list->count++], error);
        } else {
            status = fail_host_memory(error);
        }
        is_last = comma == end;
        text = comma + 1;
    }
    if (status)
        model_list_free(list);
    return status;
}

void model_list_free(struct model_list *list)
{
    for (size_t p = 0; p < list->count; p++)
        free((char *)list->parameters[p].name);
    free(list->parameters);
    *list = (struct model_list){.count = 0};
}
