/* The tree of shards: whoever adds which of its nodes, the sum is the same expression. */
#include "mlp/training/shards.h"
#include "unit.h"

enum { MOST_SHARDS = 40 };

/* Addition that tells every order from every other one. */
static uint64_t add(uint64_t left, uint64_t right)
{
    uint64_t mixed = (left * 3 + right) * 0x9E3779B97F4A7C15u;
    return mixed ^ mixed >> 29;
}

/* The sum as docs/mlp.md states it. */
static uint64_t sum_of_tree(size_t shards, size_t first, size_t span)
{
    if (span == 1)
        return first + 1;
    const uint64_t left = sum_of_tree(shards, first, span / 2);
    return first + span / 2 < shards ? add(left, sum_of_tree(shards, first + span / 2, span / 2)) : left;
}

struct sums {
    struct shard_node nodes[SHARDS_MOST_NODES];
    uint64_t values[SHARDS_MOST_NODES];
    size_t count;
};

static void push(struct sums *sums, struct shard_node node, uint64_t value, size_t shards)
{
    assert_true(sums->count < SHARDS_MOST_NODES);
    sums->nodes[sums->count] = node;
    sums->values[sums->count++] = value;
    for (size_t n = sums->count; n > 1 && shard_are_halves(&sums->nodes[n - 2], &sums->nodes[n - 1], shards);
         n = --sums->count) {
        sums->nodes[n - 2].span *= 2;
        sums->values[n - 2] = add(sums->values[n - 2], sums->values[n - 1]);
    }
}

/* Three parts sum what they can, and then all add the nodes of all. */
static void check_cuts(size_t shards, size_t one, size_t two)
{
    const size_t cuts[] = {0, one, two, shards};
    struct sums all = {.count = 0};
    for (size_t part = 0; part < 3; part++) {
        struct sums own = {.count = 0};
        struct shard_node nodes[SHARDS_MOST_NODES];
        size_t most;
        for (size_t shard = cuts[part]; shard < cuts[part + 1]; shard++)
            push(&own, (struct shard_node){shard, 1}, shard + 1, shards);
        const size_t count = shard_nodes(shards, cuts[part], cuts[part + 1] - cuts[part], nodes, &most);
        assert_int_equal(count, own.count);
        assert_true(most >= count && most <= count + SHARDS_MOST_LEVELS);
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(nodes[k].first, own.nodes[k].first);
            push(&all, own.nodes[k], own.values[k], shards);
        }
    }
    assert_int_equal(all.count, 1);
    const uint64_t wanted = sum_of_tree(shards, 0, (size_t)1 << (shard_levels(shards) - 1));
    if (all.values[0] != wanted)
        fail_msg("%zu shards, cut at %zu and %zu: another order", shards, one, two);
}

static void cuts(void **state)
{
    (void)state;
    for (size_t shards = 1; shards <= MOST_SHARDS; shards++)
        for (size_t one = 0; one <= shards; one++)
            for (size_t two = one; two <= shards; two++)
                check_cuts(shards, one, two);
    for (size_t one = 0; one <= SHARDS_MOST; one += 93)
        check_cuts(SHARDS_MOST, one, SHARDS_MOST - 1);
}

/* Shards have all rows, and differ by one at most. */
static void rows(void **state)
{
    (void)state;
    for (size_t rows = 0; rows < 50; rows++)
        for (size_t shards = 1; shards <= MOST_SHARDS; shards++) {
            assert_int_equal(shard_begin(rows, shards, 0), 0);
            assert_int_equal(shard_begin(rows, shards, shards), rows);
            for (size_t shard = 0; shard < shards; shard++) {
                const size_t own = shard_begin(rows, shards, shard + 1) - shard_begin(rows, shards, shard);
                assert_true(own == rows / shards || own == shard_rows(rows, shards));
            }
        }
    assert_int_equal(shard_begin(UINT32_MAX, SHARDS_MOST, SHARDS_MOST), UINT32_MAX);
    assert_int_equal(shard_draw(5, 1, 0), 5);
    assert_int_equal(shard_draw(5, 8, 3), 43);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cuts), cmocka_unit_test(rows)};
    return cmocka_run_group_tests_name("mlp-shards", tests, NULL, NULL);
}
