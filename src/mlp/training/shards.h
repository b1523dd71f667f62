/* Private: the shards of a batch.
 *
 * The rows of a batch, in the order of their use, are divided into shards, as equal as possible. Each shard
 * has sums of its own: its gradient and its losses. The sums of all shards are added as a binary tree over
 * the numbers of the shards: neighbours are added first, then neighbouring pairs, and so on. The tree depends
 * only on the number of shards, so the bits of an update do not depend on which device computes which shard.
 */
#ifndef SHOAL_MLP_TRAINING_SHARDS_H
#define SHOAL_MLP_TRAINING_SHARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SHARDS_MOST = 1024, SHARDS_MOST_LEVELS = 11 /* levels of the tree, leaves included */ };
/* Most nodes that a range of neighbouring shards needs. */
enum { SHARDS_MOST_NODES = 2 * SHARDS_MOST_LEVELS };

/* First row of a shard of a batch of `rows` rows; for shard = shards, the end of the batch. A batch of fewer
 * rows than shards has shards without rows. */
static inline size_t shard_begin(size_t rows, size_t shards, size_t shard)
{
    return (size_t)((uint64_t)rows * shard / shards);
}

/* Most rows of a shard. */
static inline size_t shard_rows(size_t rows, size_t shards)
{
    return (rows + shards - 1) / shards;
}

/* Number for the random draw of the units that dropout drops in shard `shard` of update `update`. */
static inline uint32_t shard_draw(uint64_t update, size_t shards, size_t shard)
{
    return (uint32_t)(update * shards + shard);
}

/* Number of levels of the tree. */
static inline size_t shard_levels(size_t shards)
{
    size_t levels = 1;
    while (((size_t)1 << (levels - 1)) < shards)
        levels++;
    return levels;
}

/* A node of the tree: shards first .. first + span - 1, of which those beyond the last shard do not exist. */
struct shard_node {
    size_t first, span;
};

/* Whether two neighbouring nodes of the tree over `shards` shards are the halves of a larger node. Extends
 * the right node over shards that do not exist. */
bool shard_are_halves(const struct shard_node *left, struct shard_node *right, size_t shards);
/* Lists the largest nodes that together have the shards first .. first + count - 1, in order, and returns
 * their number. *most: the largest number of nodes that exist at a time if a device computes the shards one
 * after another and joins two halves as soon as it has both. */
size_t shard_nodes(size_t shards, size_t first, size_t count, struct shard_node nodes[SHARDS_MOST_NODES],
                   size_t *most);

#endif
