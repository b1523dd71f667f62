/* Packs files whose names end in .gz by gzip, piece by piece; input.h unpacks. */
#ifndef SHOAL_BASE_PACK_H
#define SHOAL_BASE_PACK_H

#include "base/text.h"

/* Whether the name asks for packing: it ends in .gz. */
bool pack_is_asked_for(const char *path);
/* Whether a name ends so, in any case, or so and .gz behind it. */
bool pack_has_ending(const char *path, const char *ending);

/* A stream; PACK_WHOLE: what was added so far can be unpacked from what was written, though nothing follows.
 * PACK_END: nothing follows, the next piece begins another stream. */
struct packer;
enum pack_until { PACK_MORE, PACK_WHOLE, PACK_END };

struct packer *packer_create(void); /* NULL: out of memory */
/* Packs `bytes` of `data` and appends what is to be written to `out`. False: out of memory, also that of
 * `out`. */
bool packer_add(struct packer *packer, const void *data, size_t bytes, enum pack_until until,
                struct text *out);
void packer_destroy(struct packer **packer); /* accepts NULL */

#endif
