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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const double x[] = {0.5, -1.25, 3, 0};
    char *formula = input_string(data, size);
    struct shoal_error error = {0};
    struct shoal_objective *objective = NULL;
    enum shoal_status status = shoal_objective_from_expression(formula, &objective, &error);
    REQUIRE(status == SHOAL_OK || status == SHOAL_INVALID);
    REQUIRE((objective != NULL) == (status == SHOAL_OK));
    if (objective) {
        char *checked = NULL;
        struct text_facts facts;
        check_text(objective->text);
        /* It keeps the rules for texts of users. */
        REQUIRE(text_read(NULL, objective->text, "formula", &checked, &facts, &error) == SHOAL_OK);
        free(checked);
        for (size_t dim = 1; dim <= sizeof x / sizeof *x; dim++) {
            const double value = shoal_objective_value(objective, x, dim);
            const double again = shoal_objective_value(objective, x, dim);
            REQUIRE(memcmp(&value, &again, sizeof value) == 0);
        }
    } else {
        REQUIRE(error.message[0] && !strpbrk(error.message, "\r\n"));
    }
    shoal_objective_destroy(&objective);
    free(formula);
    return 0;
}
