/* An objective over genes as an objective over points, for algorithms that search reals and round them. */
#include "base/error.h"
#include "base/text.h"
#include "objective/derived.h"
#include "objective/variables/variables.h"

static double value(const struct shoal_objective *objective, const double *x, size_t dim)
{
    const struct derived *derived = objective->state;
    return shoal_objective_value(derived->inner, x, dim);
}

/* Kernel text ------------------------------------------------------------------------------------------ */

static bool is_real(const struct shoal_variable_group *group)
{
    return group->kind == SHOAL_REAL;
}

static bool is_bit(const struct shoal_variable_group *group)
{
    return group->kind == SHOAL_BIT;
}

/* Writes the function `name`, which returns the index of the coordinate of gene i of a kind. Neighbouring
 * groups of the kind share a branch, even if their ranges differ. */
static void write_index(const char *name, bool (*is_kind)(const struct shoal_variable_group *group),
                        const struct shoal_variables *variables, struct text *out)
{
    size_t genes = 0, shift = 0;
    text_printf(out, "static inline uint %s(uint i)\n{\n", name);
    for (size_t g = 0; g < variables->group_count; g++) {
        const struct shoal_variable_group *group = &variables->groups[g];
        if (!is_kind(group))
            continue;
        if (genes && group->first - genes != shift)
            text_printf(out, "    if (i < %zuu)\n        return i + %zuu;\n", genes, shift);
        shift = group->first - genes;
        genes += group->count;
    }
    text_printf(out, "    return i + %zuu;\n}\n", shift);
}

/* Writes the macros by which the text reads genes. */
static void write_macros(const struct shoal_variables *variables, struct text *out)
{
    const size_t bits = genome_layout(variables).bits;
    text_add(out, "#undef GENOME\n#undef GENE\n#undef WHOLE\n#undef BIT\n#undef WORD\n"
                  "#define GENOME const real *genome\n"
                  "#define GENE(i) ((real)genome[point_real((uint)(i))])\n"
                  "#define WHOLE(i) ((int)genome[point_whole((uint)(i))])\n"
                  "#define BIT(i) ((uint)genome[point_bit((uint)(i))])\n"
                  "#define WORD(w) point_word(genome, (uint)(w))\n");
    write_index("point_real", is_real, variables, out);
    write_index("point_whole", variable_is_whole, variables, out);
    write_index("point_bit", is_bit, variables, out);
    text_add(out, "static inline uint point_word(GENOME, uint w)\n{\n    uint word = 0u;\n");
    if (bits)
        text_printf(out,
                    "    for (uint i = 32u * w; i < 32u * w + 32u && i < %zuu; i++)\n"
                    "        word |= BIT(i) << i %% 32u;\n",
                    bits);
    else
        text_add(out, "    (void)genome;\n    (void)w;\n");
    text_add(out, "    return word;\n}\n");
}

static enum shoal_status write_text(const struct shoal_objective *inner,
                                    const struct shoal_variables *variables,
                                    struct shoal_objective *objective, struct shoal_error *error)
{
    struct shoal_kernel_text own;
    struct text text = {0};
    enum shoal_status status = objective_kernel_text(inner, &own, error);
    if (status)
        return status;
    write_macros(variables, &text);
    text_printf(&text, "%s\n#undef VARIABLES\n", own.text);
    return derived_take_text(objective, &text, own.shown, error);
}

/* Objective -------------------------------------------------------------------------------------------- */

bool objective_has_points(const struct shoal_objective *objective)
{
    const struct shoal_objective_info *info = &objective->info;
    return info->variables && info->shape == SHOAL_OPAQUE && !info->repairs && !info->dynamic;
}

enum shoal_status objective_over_points(const struct shoal_objective *inner, struct shoal_objective **owned,
                                        const struct shoal_variables *variables, struct shoal_objective **out,
                                        struct shoal_error *error)
{
    struct shoal_objective *objective;
    const enum shoal_status status = derived_create(inner, sizeof(struct derived), &objective, error);
    if (status)
        return status;
    objective->value = value;
    objective->destroy = derived_destroy;
    objective->minimum = inner->minimum;
    objective->bounded = inner->bounded;
    objective->is_slow = inner->is_slow;
    objective->is_told = inner->is_told;
    objective->info.variables = NULL;
    objective->info.move = SHOAL_MOVE_NONE;
    return derived_finish(objective, write_text(inner, variables, objective, error), owned, out);
}
