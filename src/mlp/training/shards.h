/* Private: the shards of a batch.
 *
 * The rows of a batch, in the order of their use, are divided into shards, as equal as possible. Each shard
 * has sums of its own: its gradient and its losses. The sums of all shards are added as a binary tree over
 * the numbers of the shards: neighbours are added first, then neighbouring pairs, and so on. The tree follows
 * from the number of shards alone, so the bits of an update do not depend on who computes which shard.
 */
#ifndef SHOAL_MLP_TRAINING_SHARDS_H
#define SHOAL_MLP_TRAINING_SHARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHARDS_MOST = 1024, SHARDS_MOST_LEVELS = 11 /* of the tree, with its leaves */ };
/* Most nodes that cover neighbouring shards. */
enum { SHARDS_MOST_NODES = 2 * SHARDS_MOST_LEVELS };

/* First row, of the `rows` rows of a batch, of a shard; shard `shards` begins behind the last row. A batch of
 * fewer rows than shards has shards without rows. */
static inline size_t shard_begin(size_t rows, size_t shards, size_t shard)
{
    return (size_t)((uint64_t)rows * shard / shards);
}

/* Most rows of a shard. */
static inline size_t shard_rows(size_t rows, size_t shards)
{
    return (rows + shards - 1) / shards;
}

/* The number by which units are drawn that shard `shard` of update `update` drops. */
static inline uint32_t shard_draw(uint64_t update, size_t shards, size_t shard)
{
    return (uint32_t)(update * shards + shard);
}

/* Levels of the tree. */
static inline size_t shard_levels(size_t shards)
{
    size_t levels = 1;
    while (((size_t)1 << (levels - 1)) < shards)
        levels++;
    return levels;
}

/* A node of the tree: the shards from `first` on, `span` shards, as far as there are that many. */
struct shard_node {
    size_t first, span;
};

/* Are two neighbouring nodes of a tree over `shards` shards the halves of a larger node? Widens the right one
 * over shards that do not exist. */
bool shard_are_halves(const struct shard_node *left, struct shard_node *right, size_t shards);
/* Lists the largest nodes that consist of the shards first .. first + count - 1, in their order, and returns
 * their number. *most: most nodes that there are at a time where the shards come one after another, and
 * halves are joined at once. */
size_t shard_nodes(size_t shards, size_t first, size_t count, struct shard_node nodes[SHARDS_MOST_NODES],
                   size_t *most);

#endif
