/* Cuts between the shares of a gas that several devices divide, by the cost of the layers. */
#include "gas/methods/domains_cut.h"
#include "test.h"

enum { LAYERS = 8, OF_LAYER = 10 * GAS_UNIT, BLOCKS = LAYERS * 10, MOST_SHARES = 8 };

/* Layers of the same number of particles, whose neighbours are given. */
struct gas {
    uint32_t firsts[LAYERS + 1], neighbours[LAYERS];
    struct gas_layers layers;
};

static void set_layers(struct gas *gas, const uint32_t neighbours_of_one[LAYERS])
{
    *gas = (struct gas){.layers = {LAYERS, gas->firsts, gas->firsts, gas->neighbours}};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_costs_stay),
        cmocka_unit_test(a_dense_corner_makes_a_thin_slab),
        cmocka_unit_test(each_share_keeps_a_block),
        cmocka_unit_test(empty_layers_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
