/* Files of the frames of a gas, which a thread writes while the run continues: it waits for the copy of the
 * particles, too, so that the device does not wait. At most one frame is copied or written at a time. */
#ifndef SHOAL_TOOLS_GAS_WRITER_H
#define SHOAL_TOOLS_GAS_WRITER_H

#include "cli/output/files/pieces.h"
#include "cli/output/samples.h"

#include <shoal/gas.h>

/* Whether files have the charges of species: the charge of one of them is not 1. NULL: false. */
bool gas_frame_has_charges(const struct shoal_gas_species *species);

/* Makes the text of a frame, which the caller frees; NULL: out of memory. */
typedef char *gas_frame_text(void *data, const struct shoal_gas_frame *frame, size_t *bytes);

struct gas_writer;
/* The files continue those of an earlier run where `files` says so. form: the columns of the log data of GSD
 * files. */
struct gas_writer *gas_writer_create(const struct piece_files *files, const struct sample_form *form);
/* Add a file before the first frame: of texts, and in the format GSD. continues: as in struct piece_file.
 * False: the file does not belong to a run; gas_writer_error has the message. */
bool gas_writer_add_texts(struct gas_writer *writer, const char *path, bool continues, piece_next *next,
                          gas_frame_text *text, void *data);
bool gas_writer_add_gsd(struct gas_writer *writer, const char *path, bool continues);
/* Gets a frame, whose arrays stay until the next frame is given. Called by the thread. */
typedef enum shoal_status gas_frame_take(void *data, struct shoal_gas_frame *frame,
                                         struct shoal_error *error);
/* Begins to write a frame, after the end of the frame before. sample: the last sample, or NULL. The call
 * waits for the end of the first frame, at which the files are opened. False: a file does not belong to the
 * run, or the device has failed, and the run must end; gas_writer_error has the message. A failed write is
 * reported once, and the file is no longer written. */
bool gas_writer_give(struct gas_writer *writer, gas_frame_take *take, void *data, const void *sample);
/* Does so with a snapshot of a solver. The solver must outlive the writer. */
bool gas_writer_give_state(struct gas_writer *writer, struct shoal_solver *solver, const void *sample);
const struct shoal_error *gas_writer_error(const struct gas_writer *writer);
/* Waits until the last frame is written. False as of gas_writer_give. */
bool gas_writer_wait(struct gas_writer *writer);
/* Waits, closes the files, and sets the pointer to NULL. Returns the exit code of a write that failed, or of
 * a failure of the last frame that no call above has returned, which is then reported. */
int gas_writer_destroy(struct gas_writer **writer);

#endif
