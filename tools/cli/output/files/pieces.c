#include "cli/output/files/pieces.h"

#include "base/file.h"
#include "base/packed/pack.h"
#include "base/text.h"
#include "cli/output/message.h"
#include "cli/output/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

/* Reading ------------------------------------------------------------------------------------------------ */

bool piece_line(struct piece_reader *reader)
{
    errno = 0;
    const ssize_t length = getline(&reader->line, &reader->room, reader->in);
    /* Of a line that is broken off by a failed read, getline returns the begin. */
    if (ferror(reader->in) || (length < 0 && !feof(reader->in)))
        reader->fault = errno ? errno : EIO;
    if (length <= 0 || reader->line[length - 1] != '\n')
        return false;
    reader->bytes += (size_t)length;
    reader->number++;
    return true;
}

bool piece_skip(struct piece_reader *reader, uint64_t lines)
{
    while (lines > 0 && piece_line(reader))
        lines--;
    return lines == 0;
}

bool piece_begins(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

bool piece_count(const char *text, const char *ends, uint64_t *count)
{
    char *end;
    text += strspn(text, " ");
    if (*text < '0' || *text > '9')
        return false;
    *count = strtoull(text, &end, 10);
    return *end && strchr(ends, *end);
}

/* Reads a file, unpacked if it is packed by gzip; the content ends where a writer was killed. */
static void read_unpacked(const char *path, struct text *content)
{
    char part[1 << 15];
    gzFile file = gzopen(path, "rbe");
    int got = file ? 1 : 0;
    while (got > 0) {
        got = gzread(file, part, sizeof part);
        if (got > 0)
            text_append(content, part, (size_t)got);
    }
    if (file)
        gzclose(file);
}

/* Opens a file to be replaced or continued, for reading; for a packed file `content` receives the unpacked
 * content, which is read instead. NULL: the file is missing or empty, or errno has the reason. */
static FILE *open_pieces(const char *path, struct text *content)
{
    if (!pack_is_asked_for(path))
        return cli_open_replaced(path);
    FILE *file = cli_open_replaced(path);
    if (!file)
        return NULL;
    fclose(file);
    read_unpacked(path, content);
    return content->length ? fmemopen(content->data, content->length, "re") : NULL;
}

bool piece_may_replace(const char *path, piece_next *next, struct shoal_error *error)
{
    struct text content = {0};
    struct piece_reader reader = {.in = open_pieces(path, &content)};
    uint64_t step;
    if (!reader.in) {
        text_free(&content);
        return true;
    }
    const enum piece piece = next(&reader, &step);
    /* The beginning of a piece is accepted, since a killed run leaves it. */
    const bool good = !reader.fault && (piece == PIECE_WHOLE || (piece == PIECE_NONE && reader.number > 0));
    errno = reader.fault;
    if (errno)
        (void)cli_io_failed(error, path, "read", "cannot be read", "");
    else if (!good)
        cli_set_error(error, SHOAL_IO,
                      "%s: line %llu does not belong to a file of this format, so the file is not replaced: "
                      "move it away or give "
                      "another name",
                      path, reader.number > 0 ? reader.number : 1);
    fclose(reader.in);
    free(reader.line);
    text_free(&content);
    return good;
}

int piece_check(const char *option, const char *path, piece_next *next)
{
    struct shoal_error error = {0};
    if (strcmp(path, "-") == 0)
        return CLI_OK;
    if (!cli_check_output(option, path, false))
        return CLI_FAILURE;
    /* The file must be writable itself, since it is written in place and not replaced. */
    if (access(path, W_OK) != 0 && errno != ENOENT)
        return cli_error(CLI_FAILURE, "%s: %s: cannot be written: %s", option, path, strerror(errno));
    return piece_may_replace(path, next, &error) ? CLI_OK : cli_fail(option, &error);
}

bool piece_stays(const struct piece_files *files, uint64_t interval, uint64_t found)
{
    if (files->follows && found <= files->begin)
        return true;
    return found < files->step &&
           (found <= files->begin || (interval && (found - files->begin) % interval == 0));
}

/* Finds the number of bytes of the whole pieces that are kept, and the step of the last of these pieces.
 * content: receives the unpacked content of a packed file. */
static enum shoal_status find_kept(const struct piece_files *files, const struct piece_file *file,
                                   struct text *content, size_t *bytes, uint64_t *last,
                                   struct shoal_error *error)
{
    const char *path = file->path;
    struct piece_reader reader = {.in = open_pieces(path, content)};
    enum shoal_status status = SHOAL_OK;
    enum piece piece;
    uint64_t found;
    *bytes = 0;
    if (!reader.in)
        return file->packer ? SHOAL_OK : cli_io_failed(error, path, "open", "cannot be read", "");
    while ((piece = file->next(&reader, &found)) == PIECE_WHOLE &&
           piece_stays(files, file->interval, found)) {
        *bytes = reader.bytes;
        *last = found;
    }
    errno = reader.fault;
    if (errno)
        status = cli_io_failed(error, path, "read", "cannot be read", "");
    else if (piece == PIECE_STRANGE)
        status = cli_set_error(
            error, SHOAL_IO, "%s: line %llu is not of this run; move the file away to continue in a new one",
            path, reader.number);
    fclose(reader.in);
    free(reader.line);
    return status;
}

/* Writing ----------------------------------------------------------------------------------------------- */

void piece_files_give_up(struct piece_files *files, const struct shoal_error *error)
{
    files->code = cli_error(CLI_FAILURE, "%s; the run goes on without it", error->message);
}

/* Stops writing the file. */
static void give_up(struct piece_files *files, struct piece_file *file, const struct shoal_error *error)
{
    piece_files_give_up(files, error);
    file->is_given_up = true;
}

/* Opens a file, just before its first piece is written: a run that fails earlier, because of its input,
 * leaves an existing file as it is. */
static void open_file(struct piece_files *files, struct piece_file *file)
{
    struct shoal_error error;
    file->fd = open(file->path, O_WRONLY | O_CREAT | O_CLOEXEC | (file->continues ? 0 : O_TRUNC), 0666);
    if (file->fd >= 0 && pack_is_asked_for(file->path) && !(file->packer = packer_create())) {
        cli_set_error(&error, SHOAL_OUT_OF_HOST_MEMORY, "%s: out of memory", file->path);
        give_up(files, file, &error);
    } else if (file->fd < 0) {
        (void)cli_io_failed(&error, file->path, "open", "cannot be written", "");
        give_up(files, file, &error);
    } else {
        file->whole = lseek(file->fd, 0, SEEK_END);
    }
}

struct piece_file *piece_files_add(struct piece_files *files, const char *path, piece_next *next,
                                   uint64_t interval)
{
    const bool is_output = strcmp(path, "-") == 0;
    if (!is_output && !piece_may_replace(path, next, &files->error))
        return NULL;
    const int fd = is_output ? dup(STDOUT_FILENO) : -1;
    if (is_output && fd < 0) {
        (void)cli_io_failed(&files->error, path, "dup", "cannot be written", "");
        return NULL;
    }
    struct piece_file *file = &files->file[files->count++];
    *file = (struct piece_file){.path = cli_strdup(path),
                                .next = next,
                                .interval = interval,
                                .continues = files->resumes,
                                .last = UINT64_MAX,
                                .fd = fd,
                                .whole = -1,
                                .is_output = is_output};
    return file;
}

bool piece_is_first(const struct piece_file *file)
{
    return file->whole <= 0;
}

static enum shoal_status cut(struct piece_file *file, size_t bytes, struct shoal_error *error)
{
    if ((int64_t)bytes == file->whole)
        return SHOAL_OK;
    if (ftruncate(file->fd, (off_t)bytes) != 0 || lseek(file->fd, 0, SEEK_END) < 0)
        return cli_io_failed(error, file->path, "ftruncate", "cannot be written", "");
    file->whole = (int64_t)bytes;
    return SHOAL_OK;
}

/* Keeps the first `bytes` bytes of the content of a packed file. A packed stream cannot be cut in the middle,
 * so these bytes are packed again, to a file that replaces the old file. */
static enum shoal_status pack_again(struct piece_file *file, const struct text *content, size_t bytes,
                                    struct shoal_error *error)
{
    struct text packed = {0};
    if (!bytes)
        return cut(file, 0, error);
    const bool good = packer_add(file->packer, content->data, bytes, PACK_WHOLE, &packed);
    const void *part = packed.data;
    errno = good ? write_file_atomically(file->path, FILE_OF_USER, &part, &packed.length, 1) : ENOMEM;
    const int fd = errno ? -1 : open(file->path, O_WRONLY | O_CLOEXEC);
    text_free(&packed);
    if (fd < 0)
        return cli_io_failed(error, file->path, "open", "cannot be written", "");
    close(file->fd);
    file->fd = fd;
    file->whole = lseek(fd, 0, SEEK_END);
    return SHOAL_OK;
}

/* Cuts a file that the run continues. Returns false if the run must end; files->error has the reason. */
static bool continue_file(struct piece_files *files, struct piece_file *file)
{
    struct shoal_error error;
    struct text content = {0};
    size_t bytes = 0;
    enum shoal_status status = find_kept(files, file, &content, &bytes, &file->last, &files->error);
    const bool is_of_run = status == SHOAL_OK;
    if (is_of_run)
        status = file->packer ? pack_again(file, &content, bytes, &error) : cut(file, bytes, &error);
    if (is_of_run && status != SHOAL_OK)
        give_up(files, file, &error);
    file->continues = false;
    text_free(&content);
    return is_of_run;
}

bool piece_files_at(struct piece_files *files, uint64_t step)
{
    files->step = step;
    for (size_t i = 0; i < files->count; i++) {
        struct piece_file *file = &files->file[i];
        if (file->fd < 0 && !file->is_given_up)
            open_file(files, file);
        if (file->continues && !file->is_given_up && !piece_is_first(file) && !continue_file(files, file))
            return false;
    }
    return true;
}

static bool append(struct piece_file *file, const char *piece, size_t bytes, struct shoal_error *error)
{
    const char *from = piece;
    for (size_t left = bytes; left > 0;) {
        const ssize_t written =
            file->is_output ? cli_output_write(file->fd, from, left) : write(file->fd, from, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && file->is_output) {
            cli_output_failed(errno);
            return true; /* the run ends before its next step, which reports the failure */
        }
        if (written < 0) {
            const int code = errno;
            /* Programs that read the file fail on half a frame, so the file is cut after its last whole
             * piece. */
            const bool is_cut = file->whole >= 0 && ftruncate(file->fd, (off_t)file->whole) == 0;
            errno = code;
            (void)cli_io_failed(error, file->path, "write", "cannot be written",
                                is_cut ? "; the file ends with the last whole piece" : "");
            return false;
        }
        from += written;
        left -= (size_t)written;
    }
    if (file->whole >= 0)
        file->whole += (int64_t)bytes;
    return true;
}

/* Packs and appends a piece, so that the file can be read up to this piece. */
static bool append_packed(struct piece_file *file, const char *piece, size_t bytes, enum pack_until until,
                          struct shoal_error *error)
{
    struct text packed = {0};
    bool good = packer_add(file->packer, piece, bytes, until, &packed);
    if (!good)
        cli_set_error(error, SHOAL_OUT_OF_HOST_MEMORY, "%s: out of memory", file->path);
    good = good && append(file, packed.data, packed.length, error);
    text_free(&packed);
    return good;
}

static bool add_piece(struct piece_file *file, const char *piece, size_t bytes, struct shoal_error *error)
{
    return file->packer ? append_packed(file, piece, bytes, PACK_WHOLE, error)
                        : append(file, piece, bytes, error);
}

void piece_write(struct piece_files *files, struct piece_file *file, char *piece, size_t bytes)
{
    struct shoal_error error;
    if (file->last == files->step) {
        free(piece);
        return;
    }
    if (!piece)
        cli_set_error(&error, SHOAL_OUT_OF_HOST_MEMORY, "%s: out of memory", file->path);
    if (!file->is_given_up && (!piece || !add_piece(file, piece, bytes, &error)))
        give_up(files, file, &error);
    free(piece);
}

int piece_files_close(struct piece_files *files)
{
    struct shoal_error error;
    for (size_t i = 0; i < files->count; i++) {
        struct piece_file *file = &files->file[i];
        if (file->packer && !file->is_given_up && !piece_is_first(file) &&
            !append_packed(file, NULL, 0, PACK_END, &error))
            give_up(files, file, &error);
        packer_destroy(&file->packer);
        if (file->fd >= 0 && close(file->fd) != 0 && !file->is_given_up && !file->is_output) {
            cli_io_failed(&error, file->path, "close", "cannot be written", "");
            files->code = cli_error(CLI_FAILURE, "%s", error.message);
        }
        free(file->path);
    }
    files->count = 0;
    return files->code;
}
