#include "mlp/training/shards.h"

bool shard_are_halves(const struct shard_node *left, struct shard_node *right, size_t shards)
{
    while (right->span < left->span && right->first + right->span >= shards)
        right->span *= 2;
    return left->span == right->span && left->first % (2 * left->span) == 0;
}

size_t shard_nodes(size_t shards, size_t first, size_t count, struct shard_node nodes[SHARDS_MOST_NODES],
                   size_t *most)
{
    size_t own = 0;
    *most = 0;
    for (size_t shard = first; shard < first + count; shard++) {
        nodes[own++] = (struct shard_node){shard, 1};
        *most = own > *most ? own : *most;
        for (; own > 1 && shard_are_halves(&nodes[own - 2], &nodes[own - 1], shards); own--)
            nodes[own - 2].span *= 2;
    }
    return own;
}
