/* The operators of cl/ga/model, as the host has them: their distributions against the densities of the
 * papers, over 1e6 draws, and their rules. */
#include "statistics.h"

#include <string.h>

#include "ga/host/reals.h"

#include "ga/host/model.h"

enum { BINS = 100 };

static uint64_t counts[BINS];
static double expected[BINS];

/* Words of one stream, one after the other. */
static uint32_t next_word(void)
{
    static uint32_t used;
    static struct shoal_words words;
    if (used % 4 == 0)
        words = shoal_random_words(7, SHOAL_STREAM_TEST, 0, used / 4, 0);
    return word_at(words, used++ % 4);
}

/* Counts a number whose distribution function has the value u there. */
static void count(double u)
{
    assert_true(u > -1e-9 && u < 1 + 1e-9);
    counts[(size_t)fmin(fmax(u * BINS, 0), BINS - 1)]++;
}

/* The counts are of a uniform distribution. */
static void assert_uniform(void)
{
    double total = 0;
    for (size_t i = 0; i < BINS; i++)
        total += (double)counts[i];
    for (size_t i = 0; i < BINS; i++)
        expected[i] = total / BINS;
    assert_true(total > 1000);
    assert_counts(counts, expected, BINS);
    memset(counts, 0, sizeof counts);
}

static cross_shape shape_of(double eta, double alpha)
{
    return (cross_shape){eta + 1, 1 / (eta + 1), alpha};
}

static crossing crossing_by(uint kind, uint dim, double alpha, int a_is_better)
{
    const uint32_t decision = next_word(), point = next_word(), second = next_word();
    return crossing_of(kind, decision, point, second, THRESHOLD_ONE, dim, alpha, a_is_better);
}

/* Spread |c1 - c2| / |x1 - x2|: density (eta + 1) b^eta / 2 up to 1, (eta + 1) / (2 b^(eta + 2)) above. */
static void test_sbx(void **state)
{
    (void)state;
    const gene_pair parents = {3, -1};
    size_t crossed_genes = 0, exchanged = 0;
    for (double eta = 2; eta < 21; eta += 13) {
        for (size_t n = 0; n < DRAWS; n++) {
            const gene_pair c = sbx(CROSS_SBX, parents, next_word(), -9, 9, shape_of(eta, 0));
            assert_true(fabs(c.a + c.b - 2) < 1e-12); /* the mean stays */
            if (c.a == 3)
                continue;
            const double b = fabs(c.a - c.b) / 4;
            count(b <= 1 ? pow(b, eta + 1) / 2 : 1 - pow(b, -eta - 1) / 2);
            crossed_genes++;
            exchanged += c.a > c.b;
        }
        assert_uniform();
    }
    assert_true(fabs((double)crossed_genes / (2 * DRAWS) - 0.5) < 5 * sqrt(0.125 / DRAWS));
    assert_true(fabs((double)exchanged / (double)crossed_genes - 0.5) <
                5 * sqrt(0.25 / (double)crossed_genes));
}

/* With bounds the same density, cut where the child would leave the box on its side, and normalised. */
static void test_sbx_bounded(void **state)
{
    (void)state;
    const double eta = 5, lower = -2, upper = 3.5;
    const gene_pair parents = {2, -1};
    for (int side = 0; side < 2; side++) {
        const double room = side ? upper - 2 : -1 - lower, most = 1 + 2 * room / 3;
        const double whole = 1 - pow(most, -eta - 1) / 2;
        for (size_t n = 0; n < DRAWS; n++) {
            const gene_pair c = sbx(CROSS_SBX_BOUNDED, parents, next_word(), lower, upper, shape_of(eta, 0));
            const double child = side ? fmax(c.a, c.b) : fmin(c.a, c.b);
            assert_true(c.a >= lower && c.a <= upper && c.b >= lower && c.b <= upper);
            if (c.a == 2 && c.b == -1)
                continue;
            const double b = fabs(child - 0.5) / 1.5;
            count((b <= 1 ? pow(b, eta + 1) / 2 : 1 - pow(b, -eta - 1) / 2) / whole);
        }
        assert_uniform();
    }
    /* Equal parents, and parents on the faces. */
    for (uint32_t n = 0; n < 1000; n++) {
        const gene_pair equal = {1, 1}, faces = {lower, upper};
        gene_pair c = sbx(CROSS_SBX_BOUNDED, equal, next_word(), lower, upper, shape_of(eta, 0));
        assert_true(c.a == 1 && c.b == 1);
        c = sbx(CROSS_SBX_BOUNDED, faces, next_word(), lower, upper, shape_of(eta, 0));
        assert_true(c.a >= lower && c.b >= lower && c.a <= upper && c.b <= upper);
    }
}

/* Far from the box, SBX with bounds computes the same children by fewer operations, and these are inside the
 * box. */
static void test_sbx_far_from_box(void **state)
{
    (void)state;
    static const double boxes[][2] = {{-5.12, 5.12}, {0, 1}, {1000, 1001}, {-3e9, 7}},
                        etas[] = {0, 2, 15, 1000};
    for (size_t k = 0; k < 16; k++) {
        const double lower = boxes[k / 4][0], upper = boxes[k / 4][1];
        const cross_shape shape = shape_of(etas[k % 4], 0);
        size_t far = 0;
        for (size_t n = 0; n < 20000; n++) {
            const double width = (upper - lower) * exp2(-(double)(next_word() >> 25) / 2);
            const double first = lower + (upper - lower) * uniform(next_word());
            const double second = first + width * (uniform(next_word()) - 0.5);
            const gene_pair parents = {first, fmin(fmax(second, lower), upper)};
            const uint32_t word = next_word();
            if (room_of_sbx(parents, lower, upper, sbx_reach(shape)) < 0)
                continue;
            const gene_pair c = sbx(CROSS_SBX_BOUNDED, parents, word, lower, upper, shape),
                            same = sbx_far_from_box(parents, word, 1, shape);
            assert_true(c.a == same.a && c.b == same.b);
            assert_true(c.a >= lower && c.a <= upper && c.b >= lower && c.b <= upper);
            far++;
        }
        assert_true(far > 1000);
    }
}

static void test_blend(void **state)
{
    (void)state;
    const gene_pair parents = {1, -2};
    for (double alpha = 0; alpha < 1; alpha += 0.5) {
        for (size_t n = 0; n < DRAWS; n++) {
            const gene_pair c = blend(parents, next_word(), alpha);
            assert_true(fabs(c.a + c.b + 1) < 1e-12);
            count((c.a + 2 + 3 * alpha) / (3 + 6 * alpha));
        }
        assert_uniform();
    }
}

/* Genes are drawn independent with variance 1: the variance of a child is 2/3 of it, the mean squared
 * distance of a pair 1/3 of that of its parents. Widened by 1/4: 1/2 + 2/3 (3/4)^2, and 3/4. */
static void test_arithmetic(void **state)
{
    (void)state;
    const double variances[] = {2. / 3, 0.5 + 2. / 3 * 0.5625}, squares[] = {1. / 3, 0.75};
    for (int widened = 0; widened < 2; widened++) {
        const uint kind = widened ? CROSS_AVERAGE : CROSS_ARITHMETIC;
        double sum = 0, apart = 0;
        for (size_t n = 0; n < DRAWS; n++) {
            gene_pair parents;
            normal_pair(next_word(), next_word(), &parents.a, &parents.b);
            const crossing c = crossing_by(kind, 1, 0.25, 1);
            assert_true(c.crosses);
            assert_true(c.weight >= (widened ? -0.25 : 0) && c.weight < (widened ? 1.25 : 1));
            const gene_pair children = crossed(kind, parents, c, 0, 0, -9, 9, shape_of(1, 0.25), 1);
            assert_true(fabs(children.a + children.b - parents.a - parents.b) < 1e-12);
            assert_true(fabs(children.a - c.weight * parents.a - (1 - c.weight) * parents.b) < 1e-12);
            sum += children.a * children.a;
            apart += (children.a - children.b) * (children.a - children.b) / 2;
        }
        /* Both have a variance of about 3 per draw. */
        assert_true(fabs(sum / DRAWS - variances[widened]) < 5 * sqrt(3. / DRAWS));
        assert_true(fabs(apart / DRAWS - squares[widened]) < 5 * sqrt(3. / DRAWS));
    }
}

static void test_heuristic(void **state)
{
    (void)state;
    const gene_pair parents = {2, 5};
    for (int a_is_better = 0; a_is_better < 2; a_is_better++) {
        for (size_t n = 0; n < DRAWS; n++) {
            const crossing c = crossing_by(CROSS_HEURISTIC, 1, 0, a_is_better);
            const gene_pair children =
                crossed(CROSS_HEURISTIC, parents, c, 0, 0, -9, 9, shape_of(1, 0), a_is_better);
            assert_true(children.b == (a_is_better ? 2 : 5));
            count(a_is_better ? (2 - children.a) / 3 : (children.a - 5) / 3);
        }
        assert_uniform();
    }
}

/* Each pair of points as often. */
static void test_points(void **state)
{
    (void)state;
    enum { GENES = 8 };
    uint64_t one[GENES] = {0}, two[GENES * (GENES + 1)] = {0};
    double pairs[GENES * (GENES + 1)] = {0}, points[GENES] = {0};
    for (size_t n = 0; n < DRAWS; n++) {
        const crossing a = crossing_by(CROSS_ONE_POINT, GENES, 0, 1),
                       b = crossing_by(CROSS_TWO_POINT, GENES, 0, 1);
        assert_true(a.from >= 1 && a.from < GENES && a.to == GENES);
        assert_true(b.from >= 1 && b.from < b.to && b.to <= GENES);
        one[a.from]++;
        two[b.from * GENES + b.to]++;
    }
    for (size_t i = 1; i < GENES; i++) {
        points[i] = (double)DRAWS / (GENES - 1);
        for (size_t j = i + 1; j <= GENES; j++)
            pairs[i * GENES + j] = (double)DRAWS / (GENES * (GENES - 1) / 2);
    }
    assert_counts(one, points, GENES);
    assert_counts(two, pairs, GENES * (GENES + 1));
    for (uint kind = CROSS_ONE_POINT; kind <= CROSS_TWO_POINT; kind++) {
        const gene_pair parents = {1, 2};
        const crossing c = {1, 3, 5, 0};
        for (uint d = 0; d < GENES; d++) {
            const gene_pair children = crossed(kind, parents, c, d, 0, 0, 9, shape_of(1, 0), 1);
            assert_true(children.a == (d == 3 || d == 4 ? 2 : 1) && children.b == 3 - children.a);
        }
    }
    /* A single gene has no place for a point. */
    assert_int_equal(crossing_by(CROSS_ONE_POINT, 1, 0, 1).from, 1);
    assert_int_equal(crossing_by(CROSS_TWO_POINT, 1, 0, 1).from, 1);
    const gene_pair parents = {1, 2}, mixed = crossed(CROSS_UNIFORM, parents, (crossing){1, 0, 0, 0}, 37,
                                                      1u << 5, 0, 9, shape_of(1, 0), 1);
    assert_true(mixed.a == 2 && mixed.b == 1);
}

/* Distribution function of the bounded polynomial mutation: towards a face at a distance `room` (in widths),
 * of the distance t gone: ((1 - t)^(eta+1) - (1 - room)^(eta+1)) / (1 - (1 - room)^(eta+1)) / 2 beyond t. */
static void test_polynomial(void **state)
{
    (void)state;
    const double lower = -1, upper = 3, x = 0.2, eta = 3;
    const mutate_shape shape = {eta + 1, 1 / (eta + 1), 0};
    for (size_t n = 0; n < DRAWS; n++) {
        double number, other;
        mutation_numbers(MUTATE_POLYNOMIAL, next_word(), next_word(), &number, &other);
        const double to = mutated(MUTATE_POLYNOMIAL, x, number, lower, upper, shape, 0);
        const double room = (to < x ? x - lower : upper - x) / 4, t = fabs(to - x) / 4;
        const double least = pow(1 - room, eta + 1);
        const double beyond = (pow(1 - t, eta + 1) - least) / (1 - least) / 2;
        assert_true(to >= lower && to <= upper);
        count(to < x ? beyond : 1 - beyond);
    }
    assert_uniform();
}

/* The functions for several genes have the values of those for one gene, but for rounding. */
enum { GENES = 70 };

static void test_crossed_together(void **state)
{
    (void)state;
    for (double eta = 0; eta < 40; eta += 5)
        for (uint32_t n = 0; n < 300; n++) {
            double lower[GENES], upper[GENES], genes[4][GENES];
            for (size_t d = 0; d < GENES; d++) { /* near to each other or not, equal, on the faces */
                const double a = uniform(next_word()), b = uniform(next_word()), width = d % 7 ? 1 : 1e-3;
                lower[d] = -1;
                upper[d] = 2;
                genes[0][d] = genes[2][d] = d % 11 ? a : -1;
                genes[1][d] = genes[3][d] = d % 13 ? a + width * (b - a) : d % 2 ? a : 2;
            }
            const struct ga_sbx_shape shape = {eta + 1, exp2(54 / (eta + 1))};
            const struct ga_sbx_pair pair = {
                lower, upper, {genes[0], genes[1]}, {genes[2], genes[3]}, GENES, 5, 7, n};
            struct ga_crossed crossed = {.count = 0};
            ga_host_reals.list_crossed(&shape, &pair, &crossed);
            ga_host_reals.cross(&shape, &crossed);
            assert_int_equal(crossed.count, 0);
            for (size_t d = 0; d < GENES; d++) {
                const struct shoal_words words =
                    shoal_random_words(5, SHOAL_STREAM_GA_CROSS_GENE, 7, n, (uint32_t)d / 4);
                const gene_pair parents = {genes[0][d], genes[1][d]};
                const gene_pair c =
                    sbx(CROSS_SBX_BOUNDED, parents, word_at(words, (uint)d % 4), -1, 2, shape_of(eta, 0));
                assert_near(genes[2][d], c.a, 1e-14);
                assert_near(genes[3][d], c.b, 1e-14);
            }
        }
}

static void test_mutated_together(void **state)
{
    (void)state;
    for (double eta = 0; eta < 1001; eta = 2 * eta + 1)
        for (size_t count = 1; count <= GA_MUTATIONS; count++) {
            const mutate_shape shape = {eta + 1, 1 / (eta + 1), 0};
            struct ga_mutations mutations = {.count = count};
            double x[GA_MUTATIONS], wanted[GA_MUTATIONS];
            for (size_t n = 0; n < count; n++) {
                const double width = n % 5 ? 3 : 0, u = uniform30(next_word());
                x[n] = n % 3 ? -1 + width * uniform(next_word()) : -1;
                wanted[n] = mutated(MUTATE_POLYNOMIAL, x[n], u, -1, -1 + width, shape, 0);
                mutations.gene[n] = &x[n];
                mutations.u[n] = u;
                mutations.lower[n] = -1;
                mutations.upper[n] = -1 + width;
            }
            ga_host_reals.mutate(eta + 1, &mutations);
            assert_int_equal(mutations.count, 0);
            for (size_t n = 0; n < count; n++)
                assert_near(x[n], wanted[n], 1e-14);
        }
}

static void test_other_mutations(void **state)
{
    (void)state;
    const mutate_shape shape = {1, 1, 0.5};
    for (size_t n = 0; n < DRAWS; n += 2) {
        double a, b;
        mutation_numbers(MUTATE_GAUSSIAN, next_word(), next_word(), &a, &b);
        /* 2 + 0.5 * 4 a in widths, 2 + 0.5 b in the gene's unit. */
        count(erfc((2 - mutated(MUTATE_GAUSSIAN, 2, a, -1, 3, shape, 1)) / 2 / sqrt(2)) / 2);
        count(erfc((2 - mutated(MUTATE_GAUSSIAN, 2, b, -1, 3, shape, 0)) / 0.5 / sqrt(2)) / 2);
    }
    assert_uniform();
    for (size_t n = 0; n < DRAWS; n += 2) {
        double a, b;
        mutation_numbers(MUTATE_UNIFORM, next_word(), next_word(), &a, &b);
        count((mutated(MUTATE_UNIFORM, 2, a, -1, 3, shape, 0) + 1) / 4);
        count((mutated(MUTATE_UNIFORM, 2, b, -1, 3, shape, 0) + 1) / 4);
    }
    assert_uniform();
    assert_true(mutated(MUTATE_NONE, 2, 0.5, -1, 3, shape, 0) == 2);
}

static void test_bounds(void **state)
{
    (void)state;
    assert_true(bounded(BOUNDS_CLAMP, 4, -1, 3) == 3 && bounded(BOUNDS_CLAMP, -4, -1, 3) == -1);
    assert_true(bounded(BOUNDS_REFLECT, 4, -1, 3) == 2 && bounded(BOUNDS_REFLECT, -1.5, -1, 3) == -0.5);
    assert_true(bounded(BOUNDS_REFLECT, 9, -1, 3) == -1);
    assert_true(bounded(BOUNDS_PENALTY, 9, -1, 3) == 9 && bounded(BOUNDS_NONE, 9, -1, 3) == 9);
    assert_true(penalty_of(2, -1, 3, 10) == 0 && penalty_of(3, -1, 3, 10) == 0);
    assert_true(penalty_of(5, -1, 3, 10) == 15 && penalty_of(-2, -1, 3, 10) == 12.5);
}

/* Decisions are exact at both ends; an order has each place once. */
static void test_draws(void **state)
{
    (void)state;
    assert_true(!happens(0, 0) && happens(UINT32_MAX, THRESHOLD_ONE));
    assert_true(happens(1, 1) && !happens(2, 1));
    assert_int_equal(index_of(UINT32_MAX, 7), 6);
    assert_int_equal(index_of(0, 7), 0);
    assert_true(uniform30(0) > 0 && uniform30(UINT32_MAX) < 1);
    const uint32_t table[] = {2, 2, 5, 9};
    assert_int_equal(first_threshold(table, 4, 0), 0);
    assert_int_equal(first_threshold(table, 4, 2), 2);
    assert_int_equal(first_threshold(table, 4, 8), 3);
    assert_int_equal(first_threshold(table, 4, 9), 4);
    for (uint32_t size = 1; size < 300; size += size < 20 ? 1 : 37) {
        unsigned char seen[300] = {0};
        const struct shoal_words keys = shoal_random_words(1, SHOAL_STREAM_TEST, 1, size, 0);
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t to = shuffled(i, size, shuffle_bits(size), keys);
            assert_true(to < size && !seen[to]);
            seen[to] = 1;
        }
    }
    /* Each element is in each place as often. */
    enum { SIZE = 10 };
    uint64_t places[SIZE * SIZE] = {0};
    double wanted[SIZE * SIZE];
    for (uint32_t n = 0; n < DRAWS / SIZE; n++) {
        const struct shoal_words keys = shoal_random_words(2, SHOAL_STREAM_TEST, 1, n, 0);
        for (uint32_t i = 0; i < SIZE; i++)
            places[i * SIZE + shuffled(i, SIZE, shuffle_bits(SIZE), keys)]++;
    }
    for (size_t i = 0; i < SIZE * SIZE; i++)
        wanted[i] = DRAWS / SIZE / SIZE;
    assert_counts(places, wanted, SIZE * SIZE);
}

/* Whole numbers of 128 bits as an oracle. */
static void test_targets(void **state)
{
    (void)state;
    __extension__ typedef unsigned __int128 wide;
    for (uint32_t n = 0; n < 100000; n++) {
        const uint64_t total = (((uint64_t)next_word() << 32) | next_word()) >> (11 + next_word() % 40);
        const uint32_t word = next_word(), size = 1 + index_of(next_word(), 1u << (n % 28)),
                       i = index_of(next_word(), size);
        assert_true(roulette_target(word, total) == (uint64_t)(((wide)word * total) >> 32));
        const uint64_t to = sus_target(i, size, word, total), from = (uint64_t)((wide)i * total / size);
        assert_true(to >= from && to <= from + total / size && (total == 0 || to < total));
    }
}

static void test_weights(void **state)
{
    (void)state;
    assert_int_equal(weight_of(SELECT_ROULETTE, 1, 1, 5, 1), WEIGHT_ONE);
    assert_int_equal(weight_of(SELECT_ROULETTE, 5, 1, 5, 1), 0);
    assert_int_equal(weight_of(SELECT_SUS, 2, 1, 5, 1), WEIGHT_ONE / 4 * 3);
    assert_int_equal(weight_of(SELECT_ROULETTE, INFINITY, 1, 5, 1), 0);
    assert_int_equal(weight_of(SELECT_BOLTZMANN, INFINITY, 1, 5, 1), 0);
    assert_int_equal(weight_of(SELECT_BOLTZMANN, 1, 1, 5, 0.1), WEIGHT_ONE);
    assert_int_equal(weight_of(SELECT_BOLTZMANN, 3, 1, 5, 0.25), (uint32_t)(exp(-2) * WEIGHT_ONE));
    /* All equal, and none finite. */
    assert_int_equal(weight_of(SELECT_ROULETTE, 5, 5, 5, 1), WEIGHT_ONE);
    assert_int_equal(weight_of(SELECT_BOLTZMANN, INFINITY, INFINITY, -INFINITY, 1), WEIGHT_ONE);
    /* A torus of 3 rows and 4 columns, cell 0: up, left, right, down, then the corners. */
    const uint32_t around[] = {0, 8, 3, 1, 4, 11, 9, 7, 5};
    for (uint32_t q = 0; q < 9; q++)
        assert_int_equal(cell_neighbour(0, q, 3, 4), around[q]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sbx),
        cmocka_unit_test(test_sbx_bounded),
        cmocka_unit_test(test_sbx_far_from_box),
        cmocka_unit_test(test_blend),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_heuristic),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_polynomial),
        cmocka_unit_test(test_crossed_together),
        cmocka_unit_test(test_mutated_together),
        cmocka_unit_test(test_other_mutations),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_draws),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_weights),
    };
    return cmocka_run_group_tests_name("operators", tests, NULL, NULL);
}
