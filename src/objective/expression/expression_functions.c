/* Functions of formulas, and their derivatives. */
#include "objective/expression/expression.h"

#include <math.h>
#include <string.h>

/* Returns the sign of x as kernels do: 0 for NaN. */
static double sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x == 0 ? x : 0;
}

static double cos2pi(double x)
{
    return cos(2 * M_PI * (x - rint(x)));
}

static double sin2pi(double x)
{
    return sin(2 * M_PI * (x - rint(x)));
}

static double slope_sin(double x, double y)
{
    (void)y;
    return cos(x);
}

static double slope_cos(double x, double y)
{
    (void)y;
    return -sin(x);
}

static double slope_tan(double x, double y)
{
    (void)x;
    return 1 + y * y;
}

static double slope_asin(double x, double y)
{
    (void)y;
    return 1 / sqrt(1 - x * x);
}

static double slope_acos(double x, double y)
{
    (void)y;
    return -1 / sqrt(1 - x * x);
}

static double slope_atan(double x, double y)
{
    (void)y;
    return 1 / (1 + x * x);
}

static double slope_sinh(double x, double y)
{
    (void)y;
    return cosh(x);
}

static double slope_cosh(double x, double y)
{
    (void)y;
    return sinh(x);
}

static double slope_tanh(double x, double y)
{
    (void)x;
    return 1 - y * y;
}

static double slope_exp(double x, double y)
{
    (void)x;
    return y;
}

static double slope_log(double x, double y)
{
    (void)y;
    return 1 / x;
}

static double slope_sqrt(double x, double y)
{
    (void)x;
    return 0.5 / y;
}

static double slope_abs(double x, double y)
{
    (void)y;
    return sign(x);
}

static double slope_cos2pi(double x, double y)
{
    (void)y;
    return -2 * M_PI * sin2pi(x);
}

static double slope_sin2pi(double x, double y)
{
    (void)y;
    return 2 * M_PI * cos2pi(x);
}

const struct expression_function expression_functions[] = {
    {"sin", "sin", sin, NULL, slope_sin},
    {"cos", "cos", cos, NULL, slope_cos},
    {"tan", "tan", tan, NULL, slope_tan},
    {"asin", "asin", asin, NULL, slope_asin},
    {"acos", "acos", acos, NULL, slope_acos},
    {"atan", "atan", atan, NULL, slope_atan},
    {"sinh", "sinh", sinh, NULL, slope_sinh},
    {"cosh", "cosh", cosh, NULL, slope_cosh},
    {"tanh", "tanh", tanh, NULL, slope_tanh},
    {"exp", "exp", exp, NULL, slope_exp},
    {"log", "log", log, NULL, slope_log},
    {"sqrt", "sqrt", sqrt, NULL, slope_sqrt},
    {"abs", "fabs", fabs, NULL, slope_abs},
    {"floor", "floor", floor, NULL, NULL},
    {"sign", "sign", sign, NULL, NULL},
    {"cos2pi", "cos2pi", cos2pi, NULL, slope_cos2pi},
    {"sin2pi", "sin2pi", sin2pi, NULL, slope_sin2pi},
    {"min", "fmin", NULL, fmin, NULL},
    {"max", "fmax", NULL, fmax, NULL},
    {"pow", "pow", NULL, pow, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

bool expression_is_reserved(const char *name)
{
    bool found = strcmp(name, "pi") == 0 || strcmp(name, "e") == 0;
    for (const struct expression_function *f = expression_functions; f->name && !found; f++)
        found = strcmp(name, f->name) == 0;
    return found;
}
