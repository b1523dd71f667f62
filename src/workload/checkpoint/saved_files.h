/* Private: hashes, in a checkpoint, of the files that options name (SHOAL_OPTION_READS).
 *
 * One section has an entry for each such option: the option's name with the NUL, and the XXH3 hash (uint64)
 * of the file as it was when the solver was created. A file that is not regular has no entry. Checkpoints of
 * older versions have no entries.
 */
#ifndef SHOAL_WORKLOAD_SAVED_FILES_H
#define SHOAL_WORKLOAD_SAVED_FILES_H

#include "base/text.h"
#include "workload/checkpoint/checkpoint.h"

#include <shoal/workload.h>

struct saved_files {
    struct text hashes; /* content of the section */
    struct text fault;  /* "--OPTION FILE cannot be read: REASON" for the first file without a hash; then no
                         * checkpoint is written, since a resumed run could not check the file */
};

/* Makes the hashes of the files that `params` name. `files` must be all zeros; saved_files_free frees it. A
 * path that is not a regular file gets no hash: the code that reads the path reports the error. */
SHOAL_MUST_CHECK enum shoal_status saved_files_take(const struct shoal_workload *workload, const void *params,
                                                    struct saved_files *files, struct shoal_error *error);
void saved_files_free(struct saved_files *files);
void saved_files_add(const struct saved_files *files, struct checkpoint *checkpoint);
/* Returns SHOAL_IO with the message `fault` if the hash of a file could not be made. */
SHOAL_MUST_CHECK enum shoal_status saved_files_check(const struct saved_files *files,
                                                     struct shoal_error *error);
/* Finds the hash of the file of an option. Returns false where the checkpoint has no hash of the file. */
bool saved_files_find(const struct checkpoint *checkpoint, const char *option, uint64_t *hash);
/* Computes the hash of the content of a file; for a path such as "FILE:3", the hash of the file's hash and
 * the number 3. Returns 0, errno or an input_fault. */
int file_hash(const char *path, uint64_t *hash);

#endif
