/* The kernel of cl/lib/link/gather.cl, which reads the memory of other devices and waits for their marks: the
 * thread that launches it really waits. */
#include "fake.h"
#include "natives.h"
#include "state.h"

#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/types.h> /* defines uint, ulong */

#include "lib/link/gather.clh"
#include "lib/link/merge.clh"

/* Arguments of the kernel. */
enum {
    TARGETS = GATHER_SOURCES,
    MARK = TARGETS + GATHER_TARGETS,
    PEERS,
    LIST = PEERS + GATHER_PEERS,
    ARGUMENTS
};

static unsigned char *bytes_of(const struct shoal_buffer *buffer)
{
    struct native_buffer *native = fake_check(buffer->native, fake_mark_buffer);
    return native->data;
}

static atomic_uint *word_of(const struct shoal_buffer *mark, size_t word)
{
    return (atomic_uint *)(void *)bytes_of(mark) + word;
}

static void copy(struct shoal_queue *queue, const struct shoal_kernel *kernel,
                 const struct gather_range *range)
{
    struct shoal_buffer *source = kernel->args[range->from].buffer;
    struct shoal_buffer *target = kernel->args[TARGETS + range->to].buffer;
    const size_t word = sizeof(uint32_t);
    fake_require((range->source + range->words) * word <= source->bytes &&
                     (range->target + range->words) * word <= target->bytes,
                 "%s copies beyond the end of a buffer", kernel->entry->name);
    if (source->device != queue->device)
        fake_read_of_another(queue, source);
    memcpy(bytes_of(target) + range->target * word, bytes_of(source) + range->source * word,
           range->words * word);
}

/* Merges a note into that of the device. */
static void merge(struct shoal_queue *queue, const struct shoal_kernel *kernel,
                  const struct gather_list *list, const struct gather_range *range)
{
    struct shoal_buffer *source = kernel->args[range->from].buffer;
    struct shoal_buffer *target = kernel->args[TARGETS + list->into].buffer;
    fake_require(range->words <= MERGE_WORDS && range->words * sizeof(uint32_t) <= target->bytes,
                 "%s merges a note of %u words", kernel->entry->name, range->words);
    if (source->device != queue->device)
        fake_read_of_another(queue, source);
    fake_write(queue, target);
    const uint32_t *other = (const uint32_t *)(const void *)bytes_of(source) + range->source;
    uint32_t *own = (uint32_t *)(void *)bytes_of(target);
    for (uint32_t k = 0; k < range->words; k++) {
        const bool is_least = list->least >> k & 1;
        struct merge_pair pair = {own[k], is_least ? own[k + 1] : 0};
        pair = merge_pairs(pair, (struct merge_pair){other[k], is_least ? other[k + 1] : 0},
                           list->largest >> k & 1, is_least);
        own[k] = pair.word;
        if (is_least)
            own[k + 1] = pair.next;
    }
}

/* Waits for the mark of a peer. false: the wait was stopped. */
static bool wait_for(const struct shoal_buffer *peer, const struct shoal_buffer *mark, uint32_t number)
{
    while ((int32_t)(atomic_load(word_of(peer, MARK_NUMBER)) - number) < 0) {
        if (atomic_load(word_of(mark, MARK_STOP)))
            return false;
        sched_yield();
    }
    return true;
}

/* Sets the mark of the device and waits until the peers have set theirs. false: the wait was stopped. Then
 * the run has failed, and what devices copy and write from now on is of no use, so that no order is required.
 */
static bool meet(struct shoal_queue *queue, const struct shoal_kernel *kernel, const struct gather_list *list)
{
    struct shoal_buffer *mark = kernel->args[MARK].buffer;
    bool have_come = true;
    fake_write(queue, mark);
    atomic_store(word_of(mark, MARK_NUMBER), list->number);
    for (size_t k = 0; k < list->peers; k++) {
        const struct shoal_buffer *peer = kernel->args[PEERS + k].buffer;
        const struct native_buffer *native = peer->native;
        have_come = wait_for(peer, mark, list->number) && have_come;
        fake_follow(queue, peer->device->native, have_come ? atomic_load(&native->written) : ULONG_MAX);
    }
    return have_come;
}

void fake_gather(struct shoal_queue *queue, struct shoal_kernel *kernel)
{
    const struct native_kernel *native = kernel->native;
    const struct gather_list *list = native->run.args[LIST].data;
    const size_t first = list->early + list->notes, ranges = first + list->copies;
    fake_require(native->run.arg_count == ARGUMENTS, "%s is not the kernel that gathers",
                 kernel->entry->name);
    fake_require(native->run.groups > (size_t)list->copies * list->groups,
                 "%s has %zu groups, too few for its copies", kernel->entry->name, native->run.groups);
    for (size_t k = 0; k < list->early; k++) {
        fake_write(queue, kernel->args[TARGETS + list->ranges[k].to].buffer);
        copy(queue, kernel, &list->ranges[k]);
    }
    if (list->peers && !meet(queue, kernel, list))
        return;
    for (size_t k = list->early; k < first; k++)
        merge(queue, kernel, list, &list->ranges[k]);
    for (size_t k = first; k < ranges; k++)
        copy(queue, kernel, &list->ranges[k]);
}
