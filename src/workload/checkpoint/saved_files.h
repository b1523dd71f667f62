/* Private: the content of files that options name (SHOAL_OPTION_READS), as hashes in a checkpoint.
 *
 * They are one section, in which each option has its name with the NUL and the XXH3 hash (uint64) of the file
 * as it was when the solver was created. A file that is not regular has none; neither have
 * checkpoints of older versions.
 */
#ifndef SHOAL_WORKLOAD_SAVED_FILES_H
#define SHOAL_WORKLOAD_SAVED_FILES_H

#include "base/text.h"
#include "workload/checkpoint/checkpoint.h"

#include <shoal/workload.h>

/* The section, to be freed with text_free. A file that cannot be read has no hash: whoever uses it says why.
 */
SHOAL_MUST_CHECK enum shoal_status saved_files_take(const struct shoal_workload *workload, const void *params,
                                                    struct text *section, struct shoal_error *error);
void saved_files_add(const struct text *section, struct checkpoint *checkpoint);
/* False: there is no hash. */
bool saved_files_find(const struct checkpoint *checkpoint, const char *option, uint64_t *hash);
/* Of the content and of the part that "FILE:3" names. False: it is no regular file, or it cannot be read. */
bool file_hash(const char *path, uint64_t *hash);

#endif
