#include "cli/gas/writer/writer.h"

#include "cli/gas/writer/gsd.h"
#include "cli/output/files/beside.h"
#include "cli/output/files/gsd.h"
#include "cli/output/message.h"
#include "cli/output/text.h"

#include <stdlib.h>
#include <string.h>

enum { TEXTS = PIECE_FILES };

struct gas_writer {
    struct beside *beside;
    bool is_beside; /* false: the run waits for the end of each frame */
    bool is_begun;  /* a frame was given */
    bool is_told;   /* the caller knows that is_refused is set */
    /* What follows is used by the thread while it writes. */
    bool is_refused; /* files.error says why the run must end */
    struct piece_files files;
    struct sample_form form;
    struct {
        struct piece_file *file;
        gas_frame_text *text;
        void *data;
    } texts[TEXTS];
    size_t text_count;
    struct gas_gsd *gsd; /* NULL: not asked for */
    gas_frame_take *take;
    void *take_data;
    struct shoal_gas_snapshot *snapshot; /* NULL: the frames are others */
    void *sample;                        /* copy of the last sample; NULL: there was none */
};

bool gas_frame_has_charges(const struct shoal_gas_species *species)
{
    bool any = false;
    for (size_t s = 0; species && s < species->count; s++)
        any = any || species->charge[s] != 1;
    return any;
}

static void write_frame(void *data)
{
    struct gas_writer *writer = data;
    struct shoal_gas_frame frame;
    writer->is_refused = writer->take(writer->take_data, &frame, &writer->files.error) != SHOAL_OK ||
                         !piece_files_at(&writer->files, frame.step);
    for (size_t i = 0; i < writer->text_count && !writer->is_refused; i++) {
        size_t bytes = 0;
        char *text = writer->texts[i].text(writer->texts[i].data, &frame, &bytes);
        piece_write(&writer->files, writer->texts[i].file, text, bytes);
    }
    if (writer->gsd && !writer->is_refused)
        writer->is_refused =
            !gas_gsd_write(writer->gsd, &writer->files, &frame, &writer->form, writer->sample);
}

struct gas_writer *gas_writer_create(const struct piece_files *files, const struct sample_form *form)
{
    struct gas_writer *writer = cli_alloc(sizeof *writer);
    *writer = (struct gas_writer){
        .beside = beside_create(write_frame, writer),
        .is_beside = true,
        .files = {.resumes = files->resumes, .follows = files->follows, .begin = files->begin},
        .form = *form};
    return writer;
}

bool gas_writer_add_texts(struct gas_writer *writer, const char *path, bool continues, piece_next *next,
                          gas_frame_text *text, void *data)
{
    /* The interval 1 keeps every existing frame, even if an earlier run wrote it with another --frames. No
     * frame must be cut, since the end of a run adds no frame of its own. */
    struct piece_file *file = piece_files_add(&writer->files, path, next, 1);
    if (!file)
        return false;
    file->continues = file->continues || continues;
    /* lines of samples on the standard output stay between the frames of their steps */
    writer->is_beside = writer->is_beside && !file->is_output;
    writer->texts[writer->text_count].file = file;
    writer->texts[writer->text_count].text = text;
    writer->texts[writer->text_count++].data = data;
    return true;
}

bool gas_writer_add_gsd(struct gas_writer *writer, const char *path, bool continues)
{
    if (!gsd_may_replace(path, &writer->files.error))
        return false;
    writer->gsd = gas_gsd_create(path, writer->files.resumes || continues);
    return true;
}

bool gas_writer_give(struct gas_writer *writer, gas_frame_take *take, void *data, const void *sample)
{
    if (!gas_writer_wait(writer))
        return false;
    writer->take = take;
    writer->take_data = data;
    if (sample && !writer->sample)
        writer->sample = cli_alloc(writer->form.sampling->size);
    if (sample)
        memcpy(writer->sample, sample, writer->form.sampling->size);
    beside_begin(writer->beside);
    const bool waits = !writer->is_beside || !writer->is_begun;
    writer->is_begun = true;
    /* otherwise the thread may be writing is_refused now; the next wait sees it */
    return !waits || gas_writer_wait(writer);
}

static enum shoal_status take_state(void *data, struct shoal_gas_frame *frame, struct shoal_error *error)
{
    return shoal_gas_snapshot_end(data, frame, error);
}

bool gas_writer_give_state(struct gas_writer *writer, struct shoal_solver *solver, const void *sample)
{
    beside_wait(writer->beside);
    if (!writer->is_refused &&
        shoal_gas_snapshot_begin(solver, &writer->snapshot, &writer->files.error) != SHOAL_OK)
        writer->is_refused = true;
    return gas_writer_give(writer, take_state, writer->snapshot, sample);
}

const struct shoal_error *gas_writer_error(const struct gas_writer *writer)
{
    return &writer->files.error;
}

bool gas_writer_wait(struct gas_writer *writer)
{
    beside_wait(writer->beside);
    writer->is_told = writer->is_told || writer->is_refused;
    return !writer->is_refused;
}

int gas_writer_destroy(struct gas_writer **out)
{
    struct gas_writer *writer = *out;
    beside_destroy(&writer->beside);
    const int lost = writer->is_refused && !writer->is_told ? cli_fail(NULL, &writer->files.error) : CLI_OK;
    gas_gsd_destroy(&writer->gsd, &writer->files);
    const int code = cli_first_failure(lost, piece_files_close(&writer->files));
    shoal_gas_snapshot_destroy(&writer->snapshot);
    free(writer->sample);
    free(writer);
    *out = NULL;
    return code;
}
