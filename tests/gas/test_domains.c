/* Layers of a gas that several devices divide, and the cuts between the shares by the cost of the layers. */
#include "gas/domains/domains_cut.h"
#include "test.h"

enum { LAYERS = 8, OF_LAYER = 10 * GAS_UNIT, BLOCKS = LAYERS * 10, MOST_SHARES = 8 };

/* Layers of the same number of particles, whose neighbours are given. */
struct gas {
    uint32_t firsts[LAYERS + 1], neighbours[LAYERS];
    struct gas_layers layers;
};

static void set_layers(struct gas *gas, const uint32_t neighbours_of_one[LAYERS])
{
    *gas = (struct gas){
        .layers = {
            .count = LAYERS, .firsts = gas->firsts, .before = gas->firsts, .neighbours = gas->neighbours}};
    for (uint32_t k = 0; k < LAYERS; k++) {
        gas->firsts[k + 1] = (k + 1) * OF_LAYER;
        gas->neighbours[k] = OF_LAYER * neighbours_of_one[k];
    }
}

static void equal_costs_stay(void **state)
{
    (void)state;
    const uint64_t shares[] = {0, 40, BLOCKS};
    uint64_t cuts[] = {0, 40, BLOCKS};
    struct gas gas;
    set_layers(&gas, (const uint32_t[LAYERS]){9, 9, 9, 9, 9, 9, 9, 9});
    assert_false(gas_domains_cut(&gas.layers, shares, 2, cuts));
    assert_int_equal(cuts[1], 40);
    /* A difference of less than two in a hundred is not worth a move. */
    set_layers(&gas, (const uint32_t[LAYERS]){1000, 1000, 1000, 1000, 1030, 1030, 1030, 1030});
    assert_false(gas_domains_cut(&gas.layers, shares, 2, cuts));
}

static void a_dense_corner_makes_a_thin_slab(void **state)
{
    (void)state;
    const uint64_t shares[] = {0, 40, BLOCKS};
    uint64_t cuts[] = {0, 40, BLOCKS};
    struct gas gas;
    /* A particle costs as much as 16 neighbours: 48 in two layers, 16 in six. Half of all is in the first
     * two. */
    set_layers(&gas, (const uint32_t[LAYERS]){32, 32, 0, 0, 0, 0, 0, 0});
    assert_true(gas_domains_cut(&gas.layers, shares, 2, cuts));
    assert_int_equal(cuts[1], 20);
    assert_false(gas_domains_cut(&gas.layers, shares, 2, cuts));
    /* Shares of four to one. */
    const uint64_t unequal[] = {0, 64, BLOCKS};
    assert_true(gas_domains_cut(&gas.layers, unequal, 2, cuts));
    assert_int_equal(cuts[1], 56);
}

static void each_share_keeps_a_block(void **state)
{
    (void)state;
    uint64_t shares[MOST_SHARES + 1], cuts[MOST_SHARES + 1];
    struct gas gas;
    for (uint64_t k = 0; k <= MOST_SHARES; k++)
        shares[k] = cuts[k] = k * BLOCKS / MOST_SHARES;
    for (uint32_t dense = 0; dense < LAYERS; dense += LAYERS - 1) {
        uint32_t neighbours[LAYERS] = {0};
        neighbours[dense] = 100000;
        set_layers(&gas, neighbours);
        assert_true(gas_domains_cut(&gas.layers, shares, MOST_SHARES, cuts));
        assert_int_equal(cuts[0], 0);
        assert_int_equal(cuts[MOST_SHARES], BLOCKS);
        for (size_t k = 0; k < MOST_SHARES; k++)
            assert_true(cuts[k] < cuts[k + 1]);
        assert_true(dense == 0 ? cuts[MOST_SHARES - 1] <= 11 : cuts[1] >= BLOCKS - 11);
        /* The same cuts again are no move. */
        assert_false(gas_domains_cut(&gas.layers, shares, MOST_SHARES, cuts));
    }
}

static void empty_layers_cost_nothing(void **state)
{
    (void)state;
    const uint64_t shares[] = {0, 5, 10};
    uint64_t cuts[] = {0, 2, 10};
    struct gas gas;
    set_layers(&gas, (const uint32_t[LAYERS]){0});
    for (uint32_t k = 0; k <= LAYERS; k++)
        gas.firsts[k] = k < 3 ? 0 : OF_LAYER; /* all in the third layer */
    assert_true(gas_domains_cut(&gas.layers, shares, 2, cuts));
    assert_int_equal(cuts[1], 5);
}

/* A gas of few particles in layers that it fills unevenly, before and after no particle moves further than
 * into the next layer. */
struct moving {
    uint32_t before[LAYERS + 1], after[LAYERS + 1];
};

static uint32_t next_random(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525 + 1013904223;
    return (*state >> 16) % below;
}

static void move(struct moving *gas, uint32_t particles, bool is_periodic, uint32_t *random)
{
    uint32_t before[LAYERS] = {0}, after[LAYERS] = {0};
    const uint32_t filled = 1 + next_random(random, LAYERS), drift = next_random(random, 4);
    for (uint32_t i = 0; i < particles; i++) {
        const uint32_t layer = next_random(random, filled);
        uint32_t to = layer + (drift < 3 ? drift : next_random(random, 3)); /* 1 more than its layer */
        if (!is_periodic)
            to = to < 1 ? 1 : to > LAYERS ? LAYERS : to;
        before[layer]++;
        after[(to + LAYERS - 1) % LAYERS]++;
    }
    for (size_t k = 0; k < LAYERS; k++) {
        gas->before[k + 1] = gas->before[k] + before[k];
        gas->after[k + 1] = gas->after[k] + after[k];
    }
}

static void layers_of_the_next_sort_are_foreseen(void **state)
{
    (void)state;
    enum { TRIALS = 4000, MOST = 60 };
    uint32_t random = 5;
    for (int trial = 0; trial < TRIALS; trial++) {
        const uint32_t particles = 1 + next_random(&random, MOST), begin = next_random(&random, particles);
        const struct gas_range own = {begin, begin + 1 + next_random(&random, particles - begin)};
        const bool is_periodic = trial % 2;
        struct moving gas = {.before = {0}};
        move(&gas, particles, is_periodic, &random);
        const struct gas_layers before = {.count = LAYERS, .is_periodic = is_periodic, .firsts = gas.before},
                                after = {.count = LAYERS, .is_periodic = is_periodic, .firsts = gas.after};
        const struct gas_range foreseen = gas_layers_next(&before, own), found = gas_layers_of(&after, own);
        test_label("trial %d", trial);
        assert_true(foreseen.begin <= found.begin && foreseen.end >= found.end);
    }
    /* In a gas at rest with equal layers, two layers on either side of a periodic box, otherwise one. */
    struct gas gas;
    set_layers(&gas, (const uint32_t[LAYERS]){1});
    const struct gas_range fourth = {3 * OF_LAYER, 4 * OF_LAYER};
    assert_int_equal(gas_layers_next(&gas.layers, fourth).begin, 2);
    assert_int_equal(gas_layers_next(&gas.layers, fourth).end, 5);
    gas.layers.is_periodic = true;
    assert_int_equal(gas_layers_next(&gas.layers, fourth).begin, 1);
    assert_int_equal(gas_layers_next(&gas.layers, fourth).end, 6);
}

static void ranges_are_separated_by_two_layers(void **state)
{
    (void)state;
    const uint32_t firsts[LAYERS + 1] = {0};
    for (uint32_t count = 1; count <= LAYERS; count++)
        for (uint32_t begin = 0; begin < count; begin++)
            for (uint32_t end = begin + 1; end <= count; end++)
                for (uint32_t more = 0; more <= count; more++) {
                    const struct gas_layers layers = {.count = count, .is_periodic = true, .firsts = firsts};
                    const struct gas_ranges around =
                        gas_layers_around(&layers, (struct gas_range){begin, end}, more);
                    const size_t found =
                        gas_count(around.list[0]) + (around.count > 1 ? gas_count(around.list[1]) : 0);
                    const uint32_t wanted = end - begin + 2 * more;
                    test_label("layers %u .. %u of %u and %u more", begin, end - 1, count, more);
                    assert_int_equal(found, wanted + 1 < count ? wanted : count);
                    if (around.count > 1)
                        assert_true(around.list[0].end + 2 <= around.list[1].begin);
                }
}

/* The first and the last layer of a share may also hold particles of other shares. */
static void inner_particles_have_near_layers_of_the_share(void **state)
{
    (void)state;
    struct gas gas;
    set_layers(&gas, (const uint32_t[LAYERS]){9, 9, 9, 9, 9, 9, 9, 9});
    const struct {
        uint32_t begin, end, more, first, last; /* layers; first and last: 0 and 0 if there are none */
    } cases[] = {{2, 7, 1, 4, 5}, {2, 6, 1, 0, 0}, {0, 8, 2, 3, 5},
                 {0, 2, 1, 0, 0}, {0, 1, 3, 0, 0}, {1, 8, 1, 3, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct gas_range own = {cases[i].begin, cases[i].end},
                               inner = gas_layers_inner(&gas.layers, own, cases[i].more);
        test_label("case %zu", i);
        assert_int_equal(inner.begin, cases[i].first * OF_LAYER);
        assert_int_equal(inner.end, cases[i].last * OF_LAYER);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_costs_stay),
        cmocka_unit_test(a_dense_corner_makes_a_thin_slab),
        cmocka_unit_test(each_share_keeps_a_block),
        cmocka_unit_test(inner_particles_have_near_layers_of_the_share),
        cmocka_unit_test(empty_layers_cost_nothing),
        cmocka_unit_test(layers_of_the_next_sort_are_foreseen),
        cmocka_unit_test(ranges_are_separated_by_two_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
