/* Packs files whose names end in .gz by gzip, piece by piece. input.h unpacks such files. */
#ifndef SHOAL_BASE_PACK_H
#define SHOAL_BASE_PACK_H

#include "base/text.h"

/* Does the name end in .gz, which asks for packing? */
bool pack_is_asked_for(const char *path);
/* Does the name end with `ending`, in any case, perhaps followed by .gz? */
bool pack_has_ending(const char *path, const char *ending);

/* A stream of packed data. PACK_WHOLE: everything added so far can be unpacked from the bytes written, even
 * if nothing follows. PACK_END: ends the stream; the next piece begins a new stream. */
struct packer;
enum pack_until { PACK_MORE, PACK_WHOLE, PACK_END };

struct packer *packer_create(void); /* NULL: out of memory */
/* Packs `bytes` bytes of `data` and appends the packed bytes to `out`. False: out of memory, in the packer or
 * in `out`. */
bool packer_add(struct packer *packer, const void *data, size_t bytes, enum pack_until until,
                struct text *out);
void packer_destroy(struct packer **packer); /* accepts NULL */

#endif
