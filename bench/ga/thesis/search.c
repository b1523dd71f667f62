#include "bench/ga/thesis/search.h"

#include <shoal/objective.h>

/* Texts of functions that call the device's fast functions, as the thesis uses them by -use_fast_math. */
#define TEXT(terms, term_1, first, second, value)                                                            \
    "#define SHAPE PER_DIMENSION\n#define TERMS " terms "\n" term_1                                          \
    "static inline void objective_terms(real *term, real x, real next, uint d, uint dim)\n{\n"               \
    "(void)next; (void)dim;\n" first second "}\n"                                                            \
    "static inline real objective_finish(const real *sum, uint dim)\n{\n(void)dim;\nreturn " value ";\n}\n"
static const char griewank_text[] = TEXT("2", "#define TERM_1 PRODUCT\n", "term[0] = x * x;\n",
                                         "term[1] = native_cos(x * native_rsqrt((real)(d + 1u)));\n",
                                         "R(1.0) + sum[0] * R(0.00025) - sum[1]");
static const char michalewicz_text[] = TEXT(
    "1", "", "const real s = native_sin((real)(d + 1u) * x * x * R(0.31830989)), s2 = s * s, s4 = s2 * s2;\n",
    "term[0] = -native_sin(x) * (s4 * s4 * s4 * s4 * s4);\n", "sum[0]");

enum shoal_status thesis_ga_native(struct bench *bench, enum thesis_ga_function function,
                                   struct shoal_objective **out, struct shoal_error *error)
{
    const char *text = function == THESIS_GRIEWANK ? griewank_text : michalewicz_text;
    return shoal_objective_from_text(bench->shoal, text, "native.cl", out, error);
}

void thesis_ga_set_case(struct shoal_ga_params *params, const struct thesis_ga_case *of)
{
    thesis_ga_set(params);
    params->population = of->population;
    params->search.islands = of->islands;
    params->crossover_rate = of->crossover_rate;
    params->mutation_rate = of->mutation_rate;
    params->search.objective = shoal_objective_find(thesis_ga_function_name(of->function));
    params->search.dim = THESIS_GA_DIM;
    params->search.lower = thesis_ga_lower(of->function);
    params->search.upper = thesis_ga_upper(of->function);
}
