/* The thesis's genetic algorithm on a CPU: its random numbers and functions against references, each rule by
 * what it does to a population, and both twins bit for bit. */
#include "unit.h"

#include "bench/ga/thesis/cpu.h"
#include "bench/ga/thesis/host.h"
#include "bench/ga/thesis/random.h"

#include <math.h>
#include <omp.h>
#include <shoal/objective.h>

/* Places 1 and 10000 as the authors' program prints them; filled in pieces of any length. */
static void words_of_mt19937(void **state)
{
    (void)state;
    static const size_t pieces[] = {1, 623, 625, 2000, 3};
    static uint32_t words[4096];
    struct mt19937 one, many;
    uint32_t word = 0;
    mt19937_seed(&one, 5489);
    assert_int_equal(mt19937_word(&one), 3499211612u);
    for (size_t i = 1; i < 10000; i++)
        word = mt19937_word(&one);
    assert_int_equal(word, 4123659995u);
    mt19937_seed(&one, 7);
    mt19937_seed(&many, 7);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        mt19937_fill(&many, words, pieces[k]);
        for (size_t i = 0; i < pieces[k]; i++)
            assert_int_equal(words[i], mt19937_word(&one));
    }
}

static void numbers_of_words(void **state)
{
    (void)state;
    struct mt19937 mt;
    assert_true(uniform_of(0) == 0 && uniform_of(UINT32_MAX) < 1);
    assert_int_equal(index_of(UINT32_MAX, 7), 6);
    mt19937_seed(&mt, 1);
    for (size_t i = 0; i < 100000; i++) {
        const uint32_t radius = i ? mt19937_word(&mt) : 0, angle = mt19937_word(&mt);
        const double u = ((radius >> 9) + 0.5) / 8388608, v = (angle >> 8) / 16777216.0;
        assert_near(natural_logarithm((float)u), log((double)(float)u), 4e-7 * fmax(1, -log(u)));
        assert_near(normal_of(radius, angle), sqrt(-2 * log(u)) * cos(6.283185307179586 * v), 3e-6);
    }
}

static const struct thesis_ga_problem usual = {.function = THESIS_ROSENBROCK,
                                               .dim = 3,
                                               .population = 8,
                                               .islands = 2000,
                                               .single_point = true,
                                               .sigma = 1,
                                               .seed = 1};

/* Values of all individuals of populations in the box, which the search has moved on. Michalewicz's angles
 * have errors of some 1e-6, which its power multiplies by ten. */
static void values_of_functions(void **state)
{
    (void)state;
    static const double boxes[][2] = {{-5, 5}, {-5, 5}, {0, 3.1415927410125732}, {-5.12, 5.12}};
    for (int function = THESIS_GRIEWANK; function <= THESIS_ROSENBROCK; function++) {
        struct thesis_ga_problem problem = usual;
        problem.function = (enum thesis_ga_function)function;
        problem.mutation_rate = 1;
        struct thesis_ga *ga = thesis_ga_scalar.create(&problem);
        const struct shoal_objective *objective =
            shoal_objective_find(thesis_ga_function_name(problem.function));
        assert_non_null(objective);
        assert_non_null(ga);
        thesis_ga_scalar.run(ga, 3);
        for (size_t k = 0; k < problem.islands; k++)
            for (size_t i = 0; i < problem.population; i++) {
                double x[3];
                for (size_t d = 0; d < 3; d++) {
                    x[d] = (double)thesis_ga_scalar.gene(ga, k, i, d);
                    assert_true(x[d] >= boxes[function][0] - 1e-6 && x[d] <= boxes[function][1] + 1e-6);
                }
                const double wanted = shoal_objective_value(objective, x, 3);
                assert_near(thesis_ga_scalar.value(ga, k, i), wanted, 1e-5 * fmax(1, fabs(wanted)));
                assert_true(thesis_ga_scalar.best(ga, k) <= thesis_ga_scalar.value(ga, k, i));
            }
        thesis_ga_scalar.destroy(ga);
    }
}

static void compare_twins(const struct thesis_ga_problem *problem, const struct thesis_ga_twin *twin)
{
    struct thesis_ga *one = thesis_ga_scalar.create(problem), *other = twin->create(problem);
    assert_non_null(one);
    assert_non_null(other);
    for (size_t round = 0; round < 4; round++) {
        for (size_t k = 0; k < problem->islands; k++) {
            const float best = thesis_ga_scalar.best(one, k), other_best = twin->best(other, k);
            assert_memory_equal(&best, &other_best, sizeof best);
            for (size_t i = 0; i < problem->population; i++) {
                const float value = thesis_ga_scalar.value(one, k, i), other_value = twin->value(other, k, i);
                assert_memory_equal(&value, &other_value, sizeof value);
                for (size_t d = 0; d < problem->dim; d++) {
                    const float gene = thesis_ga_scalar.gene(one, k, i, d),
                                other_gene = twin->gene(other, k, i, d);
                    assert_true(gene == other_gene);
                }
            }
        }
        thesis_ga_scalar.run(one, 5);
        twin->run(other, 5);
    }
    thesis_ga_scalar.destroy(one);
    twin->destroy(other);
}

static void both_twins_compute_the_same_bits(void **state)
{
    (void)state;
    static const size_t dims[] = {1, 2, 5}, populations[] = {2, 6, 128, 150};
    static const int threads[] = {1, 3};
    const int all = omp_get_max_threads();
    for (unsigned kind = 0; kind < 64; kind++)
        for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
            for (size_t j = 0; j < sizeof populations / sizeof *populations; j++) {
                const struct thesis_ga_problem problem = {.function = (enum thesis_ga_function)(kind / 8 % 4),
                                                          .dim = dims[i],
                                                          .population = populations[j],
                                                          .islands = 3,
                                                          .roulette = kind & 1,
                                                          .single_point = kind & 2,
                                                          .elitism = kind & 4,
                                                          .conditional = kind & 32,
                                                          .crossover_rate = 0.7,
                                                          .mutation_rate = 0.25,
                                                          .sigma = 1,
                                                          .seed = kind};
                omp_set_num_threads(threads[j % 2]);
                for (size_t b = 0; thesis_ga_vector_at(b); b++)
                    compare_twins(&problem, thesis_ga_vector_at(b));
            }
    omp_set_num_threads(all);
}

/* Points alone: those of a population, and as many that the last piece is short. */
static void values_of_points(void **state)
{
    (void)state;
    enum { COUNT = 2500, GENES = 2 };
    static float x[COUNT * GENES], y[COUNT], other[COUNT];
    for (int function = THESIS_GRIEWANK; function <= THESIS_ROSENBROCK; function++) {
        const struct shoal_objective *objective =
            shoal_objective_find(thesis_ga_function_name((enum thesis_ga_function)function));
        for (size_t i = 0; i < COUNT * GENES; i++)
            x[i] = 3 * (float)(i % 1009) / 1009;
        thesis_ga_scalar.evaluate((enum thesis_ga_function)function, GENES, COUNT, x, y);
        for (size_t i = 0; i < COUNT; i++) {
            const double point[GENES] = {(double)x[i], (double)x[COUNT + i]};
            const double wanted = shoal_objective_value(objective, point, GENES);
            assert_near(y[i], wanted, 1e-5 * fmax(1, fabs(wanted)));
        }
        for (size_t b = 0; thesis_ga_vector_at(b); b++) {
            thesis_ga_vector_at(b)->evaluate((enum thesis_ga_function)function, GENES, COUNT, x, other);
            assert_memory_equal(y, other, sizeof y);
        }
    }
}

/* Rules ------------------------------------------------------------------------------------------------- */

enum { MEMBERS = 8, DIM = 3 };

struct population {
    float gene[MEMBERS][DIM], value[MEMBERS];
};

static struct population population_of(const struct thesis_ga *ga, size_t island)
{
    struct population population;
    for (size_t i = 0; i < MEMBERS; i++) {
        population.value[i] = thesis_ga_scalar.value(ga, island, i);
        for (size_t d = 0; d < DIM; d++)
            population.gene[i][d] = thesis_ga_scalar.gene(ga, island, i, d);
    }
    return population;
}

/* The member whose genes these are; MEMBERS: none. */
static size_t member_with(const struct population *population, const float *genes)
{
    size_t i = 0;
    while (i < MEMBERS && memcmp(population->gene[i], genes, sizeof population->gene[i]) != 0)
        i++;
    return i;
}

static size_t rank_of(const struct population *population, size_t i)
{
    size_t rank = 0;
    for (size_t k = 0; k < MEMBERS; k++)
        rank += population->value[k] < population->value[i];
    return rank;
}

/* After one generation, and the populations before it. */
static struct thesis_ga *a_generation(const struct thesis_ga_problem *problem, struct population *before)
{
    struct thesis_ga *ga = thesis_ga_scalar.create(problem);
    assert_non_null(ga);
    for (size_t k = 0; k < problem->islands; k++)
        before[k] = population_of(ga, k);
    thesis_ga_scalar.run(ga, 1);
    return ga;
}

/* Without crossover and mutation children are copies: of rank r (2 (J - r) - 1) / J with a tournament of two,
 * of a member with fitness F J F / sum F with the roulette, none of the worst. */
static void copies_of_selection(void **state)
{
    (void)state;
    for (int roulette = 0; roulette <= 1; roulette++) {
        struct thesis_ga_problem problem = usual;
        problem.roulette = roulette;
        static struct population before[2000];
        struct thesis_ga *ga = a_generation(&problem, before);
        double copies[MEMBERS] = {0}, wanted[MEMBERS] = {0};
        for (size_t k = 0; k < problem.islands; k++) {
            const struct population after = population_of(ga, k);
            double best = INFINITY, worst = -INFINITY, all = 0;
            for (size_t i = 0; i < MEMBERS; i++) {
                const size_t from = member_with(&before[k], after.gene[i]);
                assert_true(from < MEMBERS);
                copies[rank_of(&before[k], from)]++;
                best = fmin(best, (double)before[k].value[i]);
                worst = fmax(worst, (double)before[k].value[i]);
            }
            for (size_t i = 0; i < MEMBERS; i++)
                all += (worst - (double)before[k].value[i]) / (worst - best);
            for (size_t i = 0; i < MEMBERS; i++) {
                const size_t rank = rank_of(&before[k], i);
                wanted[rank] += roulette
                                    ? MEMBERS * (worst - (double)before[k].value[i]) / (worst - best) / all
                                    : (2.0 * (double)(MEMBERS - rank) - 1) / MEMBERS;
            }
        }
        /* The number of copies of a rank is a sum of 16000 draws: within five standard deviations. */
        for (size_t rank = 0; rank < MEMBERS; rank++)
            assert_near(copies[rank], wanted[rank], 5 * sqrt(wanted[rank]) + 1e-9);
        thesis_ga_scalar.destroy(ga);
    }
}

/* Without selection members stay where they are; what crosses leaves the parents of a selection. */
static void selection_of_pairs_that_cross(void **state)
{
    (void)state;
    struct thesis_ga_problem problem = usual;
    problem.conditional = true;
    problem.crossover_rate = 0.5;
    static struct population before[2000];
    struct thesis_ga *ga = a_generation(&problem, before);
    size_t stay = 0;
    for (size_t k = 0; k < problem.islands; k++) {
        const struct population after = population_of(ga, k);
        for (size_t p = 0; p < MEMBERS / 2; p++)
            stay += member_with(&before[k], after.gene[p]) == p &&
                    member_with(&before[k], after.gene[p + MEMBERS / 2]) == p + MEMBERS / 2;
    }
    /* Of 8000 pairs half, within five standard deviations, and the few that cross a member with itself. */
    assert_in_range(stay, 4000 - 224, 4000 + 224 + 200);
    thesis_ga_scalar.destroy(ga);
}

/* Children of one pair, who have places p and p + 4, without mutation: genes up to a point of either parent,
 * or w and 1 - w of both, so that their sums are those of two members. */
static void children_of_crossover(void **state)
{
    (void)state;
    for (int single_point = 0; single_point <= 1; single_point++) {
        struct thesis_ga_problem problem = usual;
        problem.single_point = single_point;
        problem.crossover_rate = 1;
        static struct population before[2000];
        struct thesis_ga *ga = a_generation(&problem, before);
        size_t points[DIM] = {0};
        for (size_t k = 0; k < problem.islands; k++) {
            const struct population after = population_of(ga, k);
            for (size_t p = 0; p < MEMBERS / 2; p++) {
                bool found = false;
                for (size_t a = 0; a < MEMBERS; a++)
                    for (size_t b = 0; b < MEMBERS && !found; b++) {
                        const float *x = before[k].gene[a], *y = before[k].gene[b], *one = after.gene[p],
                                    *other = after.gene[p + MEMBERS / 2];
                        for (size_t point = 1; single_point && point < DIM && !found; point++) {
                            found = a != b;
                            for (size_t d = 0; d < DIM; d++)
                                found = found && one[d] == (d < point ? x[d] : y[d]) &&
                                        other[d] == (d < point ? y[d] : x[d]);
                            points[point] += found;
                        }
                        bool sums = !single_point || a == b;
                        for (size_t d = 0; d < DIM; d++)
                            sums = sums &&
                                   fabs((double)one[d] + (double)other[d] - (double)x[d] - (double)y[d]) <
                                       1e-5 &&
                                   one[d] >= fminf(x[d], y[d]) - 1e-6f && one[d] <= fmaxf(x[d], y[d]) + 1e-6f;
                        found = found || sums;
                    }
                assert_true(found);
            }
        }
        /* Of 8000 pairs some 7000 have two parents. */
        if (single_point)
            assert_true(points[1] > 3000 && points[2] > 3000);
        thesis_ga_scalar.destroy(ga);
    }
}

/* One gene of a child differs from a member's with probability Pm times the chance to move within the box. */
static void rate_of_mutation(void **state)
{
    (void)state;
    struct thesis_ga_problem problem = usual;
    problem.mutation_rate = 0.25;
    problem.sigma = 1e-3;
    static struct population before[2000];
    struct thesis_ga *ga = a_generation(&problem, before);
    size_t mutants = 0, genes[DIM] = {0};
    for (size_t k = 0; k < problem.islands; k++) {
        const struct population after = population_of(ga, k);
        for (size_t i = 0; i < MEMBERS; i++) {
            if (member_with(&before[k], after.gene[i]) < MEMBERS)
                continue;
            mutants++;
            for (size_t d = 0; d < DIM; d++) {
                bool kept = false;
                for (size_t m = 0; m < MEMBERS; m++)
                    kept = kept || before[k].gene[m][d] == after.gene[i][d];
                genes[d] += !kept;
            }
        }
    }
    assert_near((double)mutants, 4000, 5 * sqrt(3000));
    assert_int_equal(genes[0] + genes[1] + genes[2], mutants);
    for (size_t d = 0; d < DIM; d++)
        assert_near((double)genes[d], 4000 / 3.0, 5 * sqrt(4000 / 3.0));
    thesis_ga_scalar.destroy(ga);
}

/* With elitism the best value of a population never rises; without, it does somewhere. */
static void elitism_keeps_the_best(void **state)
{
    (void)state;
    for (int elitism = 0; elitism <= 1; elitism++) {
        struct thesis_ga_problem problem = usual;
        problem.islands = 50;
        problem.elitism = elitism;
        problem.mutation_rate = 0.5;
        struct thesis_ga *ga = thesis_ga_scalar.create(&problem);
        assert_non_null(ga);
        size_t rises = 0;
        float best[50];
        for (size_t g = 0; g < 20; g++) {
            for (size_t k = 0; k < problem.islands; k++) {
                const struct population population = population_of(ga, k);
                float least = population.value[0];
                for (size_t i = 1; i < MEMBERS; i++)
                    least = fminf(least, population.value[i]);
                rises += g && least > best[k];
                best[k] = least;
                assert_true(thesis_ga_scalar.best(ga, k) <= least);
            }
            thesis_ga_scalar.run(ga, 1);
        }
        assert_true(elitism ? rises == 0 : rises > 0);
        thesis_ga_scalar.destroy(ga);
    }
}

static void twins_name_their_compiler(void **state)
{
    (void)state;
    assert_contains(thesis_ga_scalar.compiler, "-fno-tree-vectorize");
    assert_non_null(thesis_ga_vector_at(0));
    for (size_t i = 0; thesis_ga_vector_at(i); i++)
        assert_contains(thesis_ga_vector_at(i)->compiler, "-O3");
    thesis_ga_scalar.destroy(NULL);
    thesis_ga_vector()->destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_mt19937),
        cmocka_unit_test(numbers_of_words),
        cmocka_unit_test(values_of_functions),
        cmocka_unit_test(values_of_points),
        cmocka_unit_test(both_twins_compute_the_same_bits),
        cmocka_unit_test(copies_of_selection),
        cmocka_unit_test(selection_of_pairs_that_cross),
        cmocka_unit_test(children_of_crossover),
        cmocka_unit_test(rate_of_mutation),
        cmocka_unit_test(elitism_keeps_the_best),
        cmocka_unit_test(twins_name_their_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
