/* The built-in functions by their textbook formulas. The kernels use rearranged formulas, and their results
 * are checked against these functions. */
#include "objective/bbob/bbob.h"
#include "objective/cec2006/cec2006.h"
#include "objective/instances/instance.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static double f1(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += sin(x[d]) + sin(2 * x[d] / 3);
    return sum;
}

static double f2(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d + 1 < dim; d++)
        sum += sin(x[d] + x[d + 1]) + sin(2 * x[d] * x[d + 1] / 3);
    return sum;
}

static double sphere(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += x[d] * x[d];
    return sum;
}

static double ellipsoid(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += pow(10, dim > 1 ? 6 * (double)d / (double)(dim - 1) : 0) * x[d] * x[d];
    return sum;
}

static double rosenbrock(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d + 1 < dim; d++) {
        double valley = x[d + 1] - x[d] * x[d], slope = 1 - x[d];
        sum += 100 * valley * valley + slope * slope;
    }
    return sum;
}

static double rastrigin(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += x[d] * x[d] - 10 * cos(2 * pi * x[d]) + 10;
    return sum;
}

static double ackley(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double squares = 0, waves = 0, n = (double)dim;
    for (size_t d = 0; d < dim; d++) {
        squares += x[d] * x[d];
        waves += cos(2 * pi * x[d]);
    }
    return -20 * exp(-0.2 * sqrt(squares / n)) - exp(waves / n) + 20 + exp(1);
}

static double griewank(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0, product = 1;
    for (size_t d = 0; d < dim; d++) {
        sum += x[d] * x[d] / 4000;
        product *= cos(x[d] / sqrt((double)d + 1));
    }
    return 1 + sum - product;
}

static double schwefel(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++) {
        const double size = fabs(x[d]), over = fmax(size - 500, 0);
        const double inside = over > 0 ? copysign(500 - fmod(size, 500), x[d]) : x[d];
        sum += 418.9828872724338 - inside * sin(sqrt(fabs(inside))) + over * over / (1e4 * (double)dim);
    }
    return sum;
}

static double styblinski_tang(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += (pow(x[d], 4) - 16 * x[d] * x[d] + 5 * x[d]) / 2;
    return sum;
}

static double michalewicz(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum -= sin(x[d]) * pow(sin((double)(d + 1) * x[d] * x[d] / pi), 20);
    return sum;
}

static double griewank_100(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0, product = 1;
    for (size_t d = 0; d < dim; d++) {
        const double moved = x[d] - 100;
        sum += moved * moved / 4000;
        product *= cos(moved / sqrt((double)d + 1));
    }
    return 1 + sum - product;
}

static double weierstrass(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (int k = 0; k <= 20; k++) {
        const double weight = pow(0.5, k), waves = pow(3, k);
        for (size_t d = 0; d < dim; d++)
            sum += weight * (cos(2 * pi * waves * (x[d] + 0.5)) - cos(pi * waves));
    }
    return sum;
}

static double levy(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double sum = 0;
    for (size_t d = 0; d < dim; d++) {
        const double w = 1 + (x[d] - 1) / 4;
        if (d == 0)
            sum += pow(sin(pi * w), 2);
        sum +=
            (w - 1) * (w - 1) * (1 + (d + 1 < dim ? 10 * pow(sin(pi * w + 1), 2) : pow(sin(2 * pi * w), 2)));
    }
    return sum;
}

static double zakharov(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double squares = 0, sum = 0;
    for (size_t d = 0; d < dim; d++) {
        squares += x[d] * x[d];
        sum += 0.5 * (double)(d + 1) * x[d];
    }
    return squares + pow(sum, 2) + pow(sum, 4);
}

static double schwefel_1_2(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double value = 0, sum = 0;
    for (size_t d = 0; d < dim; d++) {
        sum += x[d];
        value += sum * sum;
    }
    return value;
}

static double shubert(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    double product = 1;
    for (size_t d = 0; d < dim; d++) {
        double sum = 0;
        for (int j = 1; j <= 5; j++)
            sum += j * cos((j + 1) * x[d] + j);
        product *= sum;
    }
    return product;
}

static double branin(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    (void)dim;
    return pow(x[1] - 5.1 / (4 * pi * pi) * x[0] * x[0] + 5 / pi * x[0] - 6, 2) +
           10 * (1 - 1 / (8 * pi)) * cos(x[0]) + 10;
}

static double six_hump_camel(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    (void)dim;
    return (4 - 2.1 * x[0] * x[0] + pow(x[0], 4) / 3) * x[0] * x[0] + x[0] * x[1] +
           (-4 + 4 * x[1] * x[1]) * x[1] * x[1];
}

static double goldstein_price(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    (void)dim;
    const double a = x[0], b = x[1];
    return (1 + pow(a + b + 1, 2) * (19 - 14 * a + 3 * a * a - 14 * b + 6 * a * b + 3 * b * b)) *
           (30 + pow(2 * a - 3 * b, 2) * (18 - 32 * a + 12 * a * a + 48 * b - 36 * a * b + 27 * b * b));
}

/* Hartman's functions: minus the sum of four hills. widths, places: for each coordinate, the width and the
 * position of each hill. */
static double hartman(const double *x, size_t dim, const double (*widths)[4], const double (*places)[4])
{
    static const double heights[4] = {1, 1.2, 3, 3.2};
    double sum = 0;
    for (size_t i = 0; i < 4; i++) {
        double squares = 0;
        for (size_t d = 0; d < dim; d++)
            squares += widths[d][i] * pow(x[d] - places[d][i], 2);
        sum += heights[i] * exp(-squares);
    }
    return -sum;
}

static double hartman_3(const struct shoal_objective *objective, const double *x, size_t dim)
{
    static const double widths[3][4] = {{3, 0.1, 3, 0.1}, {10, 10, 10, 10}, {30, 35, 30, 35}};
    static const double places[3][4] = {
        {0.3689, 0.4699, 0.1091, 0.0381}, {0.1170, 0.4387, 0.8732, 0.5743}, {0.2673, 0.7470, 0.5547, 0.8828}};
    (void)objective;
    return hartman(x, dim, widths, places);
}

static double hartman_6(const struct shoal_objective *objective, const double *x, size_t dim)
{
    static const double widths[6][4] = {{10, 0.05, 3, 17},  {3, 10, 3.5, 8},   {17, 17, 1.7, 0.05},
                                        {3.5, 0.1, 10, 10}, {1.7, 8, 17, 0.1}, {8, 14, 8, 14}};
    static const double places[6][4] = {{0.1312, 0.2329, 0.2348, 0.4047}, {0.1696, 0.4135, 0.1451, 0.8828},
                                        {0.5569, 0.8307, 0.3522, 0.8732}, {0.0124, 0.3736, 0.2883, 0.5743},
                                        {0.8283, 0.1004, 0.3047, 0.1091}, {0.5886, 0.9991, 0.6650, 0.0381}};
    (void)objective;
    return hartman(x, dim, widths, places);
}

static double shekel(const struct shoal_objective *objective, const double *x, size_t dim)
{
    /* for each foxhole: coordinates 0 and 2 of its position, coordinates 1 and 3 of its position, and its
     * width */
    static const double holes[10][3] = {{4, 4, 0.1}, {1, 1, 0.2}, {8, 8, 0.2}, {6, 6, 0.4}, {3, 7, 0.4},
                                        {2, 9, 0.6}, {5, 3, 0.3}, {8, 1, 0.7}, {6, 2, 0.5}, {7, 3.6, 0.5}};
    (void)objective;
    double sum = 0;
    for (size_t i = 0; i < 10; i++) {
        double squares = holes[i][2];
        for (size_t d = 0; d < dim; d++)
            squares += pow(x[d] - holes[i][d % 2], 2);
        sum += 1 / squares;
    }
    return -sum;
}

/* The value of f6 to f10 until objective_from_thesis_table has generated their rows. */
static double without_rows(const struct shoal_objective *objective, const double *x, size_t dim)
{
    (void)objective;
    (void)x;
    (void)dim;
    return NAN;
}

static double least_f1(size_t dim)
{
    return -1.215982175080909066 * (double)dim;
}

static double least_f2(size_t dim)
{
    return -2 * (double)(dim - 1);
}

static double least_styblinski_tang(size_t dim)
{
    return -39.16616570377141546 * (double)dim;
}

/* Returns the least value of -sin(x) sin(k x^2 / pi)^20 for x from 0 to pi. The second factor has its maxima
 * at k x^2 / pi = pi / 2 + n pi. The least value is near one of the two maxima next to x = pi / 2. Newton's
 * method finds it as a zero of the derivative of the logarithm. */
static double least_michalewicz_term(double k)
{
    const double before = floor(k / 4 - 0.5);
    double least = 0;
    for (double n = fmax(before, 0); n <= before + 1; n++) {
        double x = pi * sqrt((n + 0.5) / k);
        for (int step = 0; step < 6; step++) {
            const double angle = k * x * x / pi, slope = 2 * k * x / pi, cotangent = cos(angle) / sin(angle);
            const double first = cos(x) / sin(x) + 20 * cotangent * slope;
            const double second = -1 / (sin(x) * sin(x)) - 20 * slope * slope / (sin(angle) * sin(angle)) +
                                  40 * cotangent * k / pi;
            x -= first / second;
        }
        least = fmin(least, -sin(x) * pow(sin(k * x * x / pi), 20));
    }
    return least;
}

static double least_michalewicz(size_t dim)
{
    double sum = 0;
    for (size_t d = 0; d < dim; d++)
        sum += least_michalewicz_term((double)d + 1);
    return sum;
}

/* Returns the minimum of griewank-100 in its box; NaN: unknown. In two or more dimensions the minimiser is on
 * the border of the box, and no formula gives the minimum. */
static double least_griewank_100(size_t dim)
{
    return dim == 1 ? 2.525355782992981 : dim == 2 ? 4.911251678535318 : NAN;
}

/* Entry of a function that is a sum or product over dimensions. least: minimum of the function in every
 * dimension; NaN: least_of(dim) returns the minimum. */
#define BUILT_IN(name_, formula_, low, high, least_dim, at, text, function, least, least_of)                 \
    {                                                                                                        \
        .info = {.size = sizeof(struct shoal_objective_info),                                                \
                 .name = name_,                                                                              \
                 .formula = formula_,                                                                        \
                 .shape = SHOAL_PER_DIMENSION,                                                               \
                 .lower = low,                                                                               \
                 .upper = high,                                                                              \
                 .min_dim = least_dim,                                                                       \
                 .max_dim = 1 << 20,                                                                         \
                 .minimum = least,                                                                           \
                 .minimiser = at},                                                                           \
        .file = OBJECTIVE_FILE("objective/builtin/" text ".clh"), .value = function, .minimum = least_of     \
    }

/* Entry of a function that needs all coordinates at once, for least_dim to most_dim dimensions. Further
 * arguments: the bounds of each dimension, if dimensions have different bounds. */
#define BUILT_IN_WHOLE(name_, formula_, low, high, least_dim, most_dim, at, text, function, least, ...)      \
    {                                                                                                        \
        .info = {.size = sizeof(struct shoal_objective_info),                                                \
                 .name = name_,                                                                              \
                 .formula = formula_,                                                                        \
                 .shape = SHOAL_OPAQUE,                                                                      \
                 .lower = low,                                                                               \
                 .upper = high,                                                                              \
                 .min_dim = least_dim,                                                                       \
                 .max_dim = most_dim,                                                                        \
                 .minimum = least,                                                                           \
                 .minimiser = at},                                                                           \
        .file = OBJECTIVE_FILE("objective/whole/" text ".clh"), .value = function, __VA_ARGS__               \
    }

/* Entry of a function of the benchmark BBOB. The objective has values only as an instance. All functions of
 * BBOB have the same text. */
#define OF_BBOB(number, formula_)                                                                            \
    {                                                                                                        \
        .info = {.size = sizeof(struct shoal_objective_info),                                                \
                 .name = "bbob-f" #number,                                                                   \
                 .formula = formula_,                                                                        \
                 .shape = SHOAL_OPAQUE,                                                                      \
                 .lower = -5,                                                                                \
                 .upper = 5,                                                                                 \
                 .min_dim = BBOB_MIN_DIM,                                                                    \
                 .max_dim = BBOB_MAX_DIM,                                                                    \
                 .minimum = NAN,                                                                             \
                 .minimiser = NAN},                                                                          \
        .file = "#define BBOB " #number "\n" BBOB_FILE, .value = bbob_value, .by_team = true,                \
        .source = &(const struct instance_source)                                                            \
        {                                                                                                    \
            .bbob = number                                                                                   \
        }                                                                                                    \
    }

/* Entry of f5 with a number of rows and columns, named f6 to f10. The objective has values once
 * objective_from_thesis_table has generated its rows. */
#define OF_ROWS(name_, formula_, bound, n, least, at)                                                        \
    {                                                                                                        \
        .info = {.size = sizeof(struct shoal_objective_info),                                                \
                 .name = name_,                                                                              \
                 .formula = "sum (b - sum a[d] x[d])^2 over " formula_,                                      \
                 .shape = SHOAL_DATA_ROWS,                                                                   \
                 .lower = -(bound),                                                                          \
                 .upper = bound,                                                                             \
                 .min_dim = n,                                                                               \
                 .max_dim = n,                                                                               \
                 .minimum = least,                                                                           \
                 .minimiser = at},                                                                           \
        .file = OBJECTIVE_FILE("objective/least_squares.clh"), .value = without_rows                         \
    }

/* Entry of a function over genes, of up to 65536 dimensions. best: greatest or least value; best_of(dim):
 * returns this value where it depends on the dimension. Further arguments: the source of instances, and the
 * function for changes by moves. */
#define OVER_GENES(name_, formula_, list, most, least_dim, text, function, is_whole, best, best_of, ...)     \
    {                                                                                                        \
        .info = {.size = sizeof(struct shoal_objective_info),                                                \
                 .name = name_,                                                                              \
                 .formula = formula_,                                                                        \
                 .shape = SHOAL_OPAQUE,                                                                      \
                 .lower = NAN,                                                                               \
                 .upper = NAN,                                                                               \
                 .min_dim = least_dim,                                                                       \
                 .max_dim = 1 << 16,                                                                         \
                 .minimum = best,                                                                            \
                 .minimiser = NAN,                                                                           \
                 .variables = "x1-xD " list,                                                                 \
                 .maximise = most,                                                                           \
                 .whole_values = is_whole},                                                                  \
        .file = OBJECTIVE_FILE("objective/genes/" text ".clh"), .value = function, .minimum = best_of,       \
        .whole_table = is_whole, .source = __VA_ARGS__                                                       \
    }

static const double branin_lower[] = {-5, 0}, branin_upper[] = {10, 15};
static const double camel_lower[] = {-3, -2}, camel_upper[] = {3, 2};

#define RASTRIGIN "sum x[d]^2 - 10 cos(2 pi x[d]) + 10"

static const struct shoal_objective objectives[] = {
    BUILT_IN("sphere", "sum x[d]^2", -5.12, 5.12, 1, 0, "sphere", sphere, 0, NULL),
    BUILT_IN("rosenbrock", "sum 100 (x[d+1] - x[d]^2)^2 + (1 - x[d])^2", -30, 30, 2, 1, "rosenbrock",
             rosenbrock, 0, NULL),
    BUILT_IN("rastrigin", RASTRIGIN, -5.12, 5.12, 1, 0, "rastrigin", rastrigin, 0, NULL),
    BUILT_IN("ackley", "20 + e - 20 exp(-0.2 sqrt(mean x[d]^2)) - exp(mean cos(2 pi x[d]))", -32.768, 32.768,
             1, 0, "ackley", ackley, 0, NULL),
    BUILT_IN("griewank", "1 + sum x[d]^2 / 4000 - product cos(x[d] / sqrt(d + 1))", -600, 600, 1, 0,
             "griewank", griewank, 0, NULL),
    BUILT_IN("ellipsoid", "sum 10^(6 d / (dim - 1)) x[d]^2, d = 0 .. dim - 1", -5.12, 5.12, 1, 0, "ellipsoid",
             ellipsoid, 0, NULL),
    BUILT_IN("schwefel", "sum 418.9828872724338 - x[d] sin(sqrt(abs(x[d])))", -500, 500, 1,
             420.96874635998203, "schwefel", schwefel, 0, NULL),
    BUILT_IN("styblinski-tang", "sum (x[d]^4 - 16 x[d]^2 + 5 x[d]) / 2", -5, 5, 1, -2.9035340277711771,
             "styblinski_tang", styblinski_tang, NAN, least_styblinski_tang),
    BUILT_IN("f1", "sum sin(x[d]) + sin(2 x[d] / 3)", 3, 13, 1, 5.3622475541540646, "f1", f1, NAN, least_f1),
    BUILT_IN("f2", "sum sin(x[d] + x[d+1]) + sin(2 x[d] x[d+1] / 3)", 3, 13, 2, NAN, "f2", f2, NAN, least_f2),
    BUILT_IN("f3", RASTRIGIN, -5.12, 5.12, 1, 0, "rastrigin", rastrigin, 0, NULL),
    BUILT_IN("f4", "sum x[d]^2", -5.12, 5.12, 1, 0, "sphere", sphere, 0, NULL),
    OF_ROWS("f6", "16384 rows", 100, 16, 0, 1),
    OF_ROWS("f7", "65536 rows", 100, 16, 0, 1),
    OF_ROWS("f8", "272144 rows", 100, 16, 0, 1),
    OF_ROWS("f9", "1088576 rows", 100, 16, 0, 1),
    OF_ROWS("f10", "6980011 rows", 1000, 4, NAN, NAN),
    BUILT_IN("michalewicz", "-sum sin(x[d]) sin((d + 1) x[d]^2 / pi)^20", 0, 3.14159265358979323846, 1, NAN,
             "michalewicz", michalewicz, NAN, least_michalewicz),
    BUILT_IN("griewank-100", "1 + sum (x[d] - 100)^2 / 4000 - product cos((x[d] - 100) / sqrt(d + 1))", -5, 5,
             1, NAN, "griewank_100", griewank_100, NAN, least_griewank_100),
    BUILT_IN("weierstrass", "sum over k = 0 .. 20 of sum (cos(2 pi 3^k (x[d] + 0.5)) + 1) / 2^k", -0.5, 0.5,
             1, 0, "weierstrass", weierstrass, 0, NULL),
    BUILT_IN("levy",
             "sin(pi w[0])^2 + sum (w[d] - 1)^2 (1 + 10 sin(pi w[d] + 1)^2) + (w[D-1] - 1)^2 "
             "(1 + sin(2 pi w[D-1])^2), w = 1 + (x - 1) / 4",
             -10, 10, 1, 1, "levy", levy, 0, NULL),
    BUILT_IN("zakharov", "sum x[d]^2 + s^2 + s^4, s = sum (d + 1) x[d] / 2", -5, 10, 1, 0, "zakharov",
             zakharov, 0, NULL),
    BUILT_IN_WHOLE("schwefel-1.2", "sum (x[0] + ... + x[d])^2", -100, 100, 1, 1 << 16, 0, "schwefel_1_2",
                   schwefel_1_2, 0, ),
    BUILT_IN_WHOLE("branin",
                   "(x[1] - 5.1 / (4 pi^2) x[0]^2 + 5 / pi x[0] - 6)^2 + 10 (1 - 1 / (8 pi)) cos(x[0]) + 10",
                   NAN, NAN, 2, 2, NAN, "branin", branin, 0.39788735772973834, .lower = branin_lower,
                   .upper = branin_upper),
    BUILT_IN_WHOLE("six-hump-camel",
                   "(4 - 2.1 x[0]^2 + x[0]^4 / 3) x[0]^2 + x[0] x[1] + (-4 + 4 x[1]^2) x[1]^2", NAN, NAN, 2,
                   2, NAN, "six_hump_camel", six_hump_camel, -1.0316284534898774, .lower = camel_lower,
                   .upper = camel_upper),
    BUILT_IN_WHOLE("shubert", "product of sum j cos((j + 1) x[d] + j), j = 1 .. 5", -10, 10, 2, 2, NAN,
                   "shubert", shubert, -186.73090883102395, ),
    BUILT_IN_WHOLE("goldstein-price", "a product of two polynomials of degree 4", -2, 2, 2, 2, NAN,
                   "goldstein_price", goldstein_price, 3, ),
    BUILT_IN_WHOLE("hartman-3", "-(sum of 4 hills)", 0, 1, 3, 3, NAN, "hartman_3", hartman_3,
                   -3.8627797873326625, ),
    BUILT_IN_WHOLE("hartman-6", "-(sum of 4 hills)", 0, 1, 6, 6, NAN, "hartman_6", hartman_6,
                   -3.3223680114155148, ),
    BUILT_IN_WHOLE("shekel", "-(sum of 10 foxholes)", 0, 10, 4, 4, NAN, "shekel", shekel,
                   -10.536443153483528, ),
    OF_BBOB(1, "sphere"),
    OF_BBOB(2, "ellipsoid"),
    OF_BBOB(3, "Rastrigin's function"),
    OF_BBOB(4, "Bueche and Rastrigin's function"),
    OF_BBOB(5, "linear slope"),
    OF_BBOB(6, "attractive sector"),
    OF_BBOB(7, "step ellipsoid"),
    OF_BBOB(8, "Rosenbrock's function"),
    OF_BBOB(9, "rotated Rosenbrock's function"),
    OF_BBOB(10, "rotated ellipsoid"),
    OF_BBOB(11, "discus"),
    OF_BBOB(12, "bent cigar"),
    OF_BBOB(13, "sharp ridge"),
    OF_BBOB(14, "sum of different powers"),
    OF_BBOB(15, "rotated Rastrigin's function"),
    OF_BBOB(16, "Weierstrass's function"),
    OF_BBOB(17, "Schaffer's function F7, condition 10"),
    OF_BBOB(18, "Schaffer's function F7, condition 1000"),
    OF_BBOB(19, "Griewank's function of Rosenbrock's"),
    OF_BBOB(20, "Schwefel's function"),
    OF_BBOB(21, "Gallagher's 101 peaks"),
    OF_BBOB(22, "Gallagher's 21 peaks"),
    OF_BBOB(23, "Katsuura's function"),
    OF_BBOB(24, "Lunacek's two funnels under Rastrigin's function"),
#include "objective/cec2006/rows.inc"
    OVER_GENES("onemax", "number of ones", "bit", true, 1, "onemax", onemax_value, true, NAN, ones_best, NULL,
               .info.move = SHOAL_MOVE_FLIP, .change = onemax_change),
    OVER_GENES("leading-ones", "ones in front of the first zero", "bit", true, 1, "leading_ones",
               leading_ones_value, true, NAN, ones_best, NULL),
    OVER_GENES("trap-4", "sum over traps of 4 bits", "bit", true, 1, "trap_4", trap_4_value, true, NAN,
               ones_best, NULL),
    OVER_GENES("trap-5", "sum over traps of 5 bits", "bit", true, 1, "trap", trap_5_value, true, NAN,
               ones_best, NULL),
    OVER_GENES("royal-road", "8 for each byte of ones", "bit", true, 8, "royal_road", royal_road_value, true,
               NAN, royal_road_best, NULL),
    OVER_GENES("hiff", "sizes of equal blocks of 1, 2, 4, ... bits", "bit", true, 1, "hiff", hiff_value, true,
               NAN, hiff_best, NULL),
    OVER_GENES("nk", "sum of a random number for each bit and its 4 neighbours", "bit", true, 5, "nk",
               nk_value, true, NAN, NULL, &instance_nk),
    OVER_GENES("labs", "sum of the squares of the autocorrelations of bits", "bit", false, 2, "labs",
               labs_value, true, NAN, labs_best, NULL),
    OVER_GENES("planted-sat", "false ones of 4.2 dim random clauses of 3", "bit", false, 3, "max_sat",
               max_sat_value, true, 0, NULL, &instance_planted_sat),
    OVER_GENES("max-sat", "weight of the false clauses", "bit", false, 1, "max_sat", max_sat_value, true, NAN,
               NULL, &instance_max_sat),
    OVER_GENES("knapsack", "profit of things within several capacities", "bit", true, 1, "knapsack",
               knapsack_value, true, NAN, NULL, &instance_knapsack, .info.repairs = true,
               .repair = knapsack_repair),
    OVER_GENES("max-cut", "weight of the edges between zeros and ones", "bit", true, 1, "max_cut",
               max_cut_value, true, NAN, NULL, &instance_max_cut),
    OVER_GENES("qubo", "sum of w x[i] x[j]", "bit", false, 1, "qubo", qubo_value, true, NAN, NULL,
               &instance_qubo),
    OVER_GENES("qap", "sum of a[i][j] b[p(i)][p(j)]", "order", false, 2, "qap", qap_value, true, NAN, NULL,
               &instance_qap, .info.move = SHOAL_MOVE_SWAP, .change = qap_change),
    OVER_GENES("flow-shop", "end of the last job on the last machine", "order", false, 2, "flow_shop",
               flow_shop_value, true, NAN, NULL, &instance_flow_shop),
    OVER_GENES("tour", "length of the closed tour through points", "order", false, 2, "tour", tour_value,
               false, NAN, NULL, &instance_tour),
    OVER_GENES("linear-ordering", "sum of a[p(i)][p(j)], i < j", "order", true, 2, "linear_ordering",
               linear_ordering_value, true, NAN, NULL, &instance_linear_ordering,
               .info.move = SHOAL_MOVE_INSERTION, .change = linear_ordering_change),
};

#define REAL_NAMES                                                                                           \
    "sphere", "rosenbrock", "rastrigin", "ackley", "griewank", "ellipsoid", "schwefel", "styblinski-tang",   \
        "f1", "f2", "f3", "f4", "f6", "f7", "f8", "f9", "f10", "michalewicz", "griewank-100", "weierstrass", \
        "levy", "zakharov", "schwefel-1.2", "branin", "six-hump-camel", "shubert", "goldstein-price",        \
        "hartman-3", "hartman-6", "shekel", "bbob-f1", "bbob-f2", "bbob-f3", "bbob-f4", "bbob-f5",           \
        "bbob-f6", "bbob-f7", "bbob-f8", "bbob-f9", "bbob-f10", "bbob-f11", "bbob-f12", "bbob-f13",          \
        "bbob-f14", "bbob-f15", "bbob-f16", "bbob-f17", "bbob-f18", "bbob-f19", "bbob-f20", "bbob-f21",      \
        "bbob-f22", "bbob-f23", "bbob-f24", "cec2006-g01", "cec2006-g02", "cec2006-g03", "cec2006-g04",      \
        "cec2006-g05", "cec2006-g06", "cec2006-g07", "cec2006-g08", "cec2006-g09", "cec2006-g10",            \
        "cec2006-g11", "cec2006-g12", "cec2006-g13", "cec2006-g14", "cec2006-g15", "cec2006-g16",            \
        "cec2006-g17", "cec2006-g18", "cec2006-g19", "cec2006-g20", "cec2006-g21", "cec2006-g22",            \
        "cec2006-g23", "cec2006-g24"

const char *const objective_real_names[] = {REAL_NAMES, NULL};

const char *const objective_names[] = {
    REAL_NAMES, "onemax",    "leading-ones", "trap-4",          "trap-5",   "royal-road", "hiff",
    "nk",       "labs",      "planted-sat",  "max-sat",         "knapsack", "max-cut",    "qubo",
    "qap",      "flow-shop", "tour",         "linear-ordering", NULL,
};

size_t shoal_objective_count(void)
{
    return sizeof objectives / sizeof *objectives;
}

const struct shoal_objective *shoal_objective_at(size_t index)
{
    return index < shoal_objective_count() ? &objectives[index] : NULL;
}

const struct shoal_objective *shoal_objective_find(const char *name)
{
    for (size_t i = 0; name && i < shoal_objective_count(); i++)
        if (strcmp(objectives[i].info.name, name) == 0)
            return &objectives[i];
    return NULL;
}
