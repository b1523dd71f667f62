/* Formulas of objectives: parser, interpreter and kernel text. */
#include "target.h"

#include "objective/code.h"
#include "objective/objective.h"

#include <ctype.h>

/* Brackets match, and nothing of the formula leaves the comment on the first line. */
static void check_text(const char *text)
{
    int depth = 0;
    REQUIRE(strncmp(text, "/* ", 3) == 0);
    const char *end = strstr(text, "*/");
    REQUIRE(end && end[2] == '\n' && strchr(text, '\n') == end + 2);
    for (const char *c = end; *c; c++) {
        depth += (*c == '(') - (*c == ')');
        REQUIRE(depth >= 0 && depth < 250);
    }
    REQUIRE(depth == 0);
    /* Every number is one. */
    for (const char *c = end; (c = strstr(c, "R(")) != NULL; c += 2)
        REQUIRE(isdigit((unsigned char)c[2 + (c[2] == '-')]));
}

/* What a formula makes, over variables or not. */
static void check(struct shoal_objective *objective, enum shoal_status status, struct shoal_error *error)
{
    static const double x[] = {1, 0, 1, 0};
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    REQUIRE((objective != NULL) == (status == SHOAL_OK));
    if (objective) {
        const struct shoal_objective_info *info = shoal_objective_get_info(objective);
        char *checked = NULL;
        struct text_facts facts;
        check_text(objective->text);
        /* It keeps the rules for texts of users. */
        REQUIRE(text_read(NULL, objective->text, "formula", &checked, &facts, error) == SHOAL_OK);
        REQUIRE(!info->variables || strcmp(info->variables, facts.variables) == 0);
        free(checked);
        for (size_t dim = info->variables ? info->min_dim : 1; dim <= sizeof x / sizeof *x; dim++) {
            const double value = shoal_objective_value(objective, x, dim);
            const double again = shoal_objective_value(objective, x, dim);
            REQUIRE(memcmp(&value, &again, sizeof value) == 0);
            if (dim == info->max_dim)
                break;
        }
    } else {
        REQUIRE(error->message[0] && !strpbrk(error->message, "\r\n"));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const lists[] = {"x1-xD bit", "x1-xD real 0 3 gray 2",
                                        "b bit, i integer -1 3, y1-y2 real -1 1 binary 32, o1-o3 order"};
    char *formula = input_string(data, size);
    struct shoal_error error = {0};
    struct shoal_objective *objective = NULL;
    enum shoal_status status = shoal_objective_from_expression(formula, &objective, &error);
    check(objective, status, &error);
    shoal_objective_destroy(&objective);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        status = shoal_objective_from_expression_variables(formula, lists[i], &objective, &error);
        check(objective, status, &error);
        shoal_objective_destroy(&objective);
    }
    free(formula);
    return 0;
}
