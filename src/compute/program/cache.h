/* Disk cache of compiled kernels.
 *
 * A cache that cannot be used never makes a build fail: there is one warning for each instance, and the cache
 * is ignored. Entries are native code, so a folder or an entry that another user owns or can write to is not
 * used.
 */
#ifndef SHOAL_COMPUTE_CACHE_H
#define SHOAL_COMPUTE_CACHE_H

#include "compute/backend.h"

enum { CACHE_KEY_LENGTH = 33 }; /* 32 hexadecimal digits and a NUL */

/* Finds the cache folder by the rules of struct shoal_params; the caller frees the path. NULL: there is no
 * folder. */
char *cache_default_dir(const char *wanted);

/* Computes the key: a 128-bit hash of everything on which the compiled code depends. */
void cache_key(const struct shoal_device *device, const struct build_input *input,
               char key[CACHE_KEY_LENGTH]);

/* Opens the folder, and creates it if `make` is set. -1: it does not exist, or cannot be used, which gives a
 * warning. */
int cache_open_folder(struct shoal *shoal, bool make);

/* Reads an entry, which the caller frees. NULL: there is none. A damaged entry is removed with a warning. */
void *cache_read(struct shoal *shoal, const char *key, size_t *bytes);
void cache_write(struct shoal *shoal, const char *key, const void *data, size_t bytes);
/* Removes an entry that the driver has refused, with a warning. */
void cache_reject(struct shoal *shoal, const char *key);

/* Checks header, key and checksum of an entry in memory, and returns the compiled program in it; NULL: the
 * entry is damaged. */
const void *cache_parse(const void *file, size_t file_bytes, const char *key, size_t *bytes);

#endif
