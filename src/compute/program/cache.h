/* Disk cache of compiled kernels.
 *
 * A cache that cannot be used never fails a build: it warns once a run and is then ignored. Entries are
 * native code: a folder or an entry that another user owns or can write to is not used.
 */
#ifndef SHOAL_COMPUTE_CACHE_H
#define SHOAL_COMPUTE_CACHE_H

#include "compute/backend.h"

enum { CACHE_KEY_LENGTH = 33 }; /* 32 hexadecimal digits and the end */

/* Finds the folder by the rules of struct shoal_params; the caller frees the path. NULL: there is none. */
char *cache_default_dir(const char *wanted);

/* The key: a 128-bit hash of everything that decides the compiled code. */
void cache_key(const struct shoal_device *device, const struct build_input *input,
               char key[CACHE_KEY_LENGTH]);

/* Opens the folder, which is created if `make` is set; -1: there is none, or it cannot be used, with a
 * warning. */
int cache_open_folder(struct shoal *shoal, bool make);

/* Reads the content of an entry; which the caller frees. NULL: there is no such entry. A damaged entry is
 * removed with a warning. */
void *cache_read(struct shoal *shoal, const char *key, size_t *bytes);
void cache_write(struct shoal *shoal, const char *key, const void *data, size_t bytes);
/* Removes an entry that the driver refused, with a warning. */
void cache_reject(struct shoal *shoal, const char *key);

/* Checks header, key and checksum of an entry in memory; returns the payload or NULL. */
const void *cache_parse(const void *file, size_t file_bytes, const char *key, size_t *bytes);

#endif
