/* Files that gzip has packed. */
#include "base/error.h"
#include "base/input.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

bool input_is_packed(const char *bytes, size_t count)
{
    return count >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0;
}

/* Inflates one gzip member after another into a block that grows. Returns a code of zlib; Z_STREAM_END:
 * success. */
static int inflate_all(const char *packed, size_t packed_bytes, char **text, size_t *bytes)
{
    enum { PIECE = 1 << 30 };
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)packed};
    size_t room = 4 * packed_bytes + 1024, left = packed_bytes;
    int code = inflateInit2(&stream, 15 + 16); /* the largest window, and the header of gzip */
    *bytes = 0;
    *text = malloc(room + 1);
    while (code == Z_OK && *text) {
        if (*bytes == room) {
            char *larger = room < INPUT_DATA_MOST ? realloc(*text, 2 * room + 1) : NULL;
            if (!larger)
                break;
            *text = larger;
            room *= 2;
        }
        const uInt in = left < PIECE ? (uInt)left : PIECE,
                   space = room - *bytes < PIECE ? (uInt)(room - *bytes) : PIECE;
        stream.avail_in = in;
        stream.avail_out = space;
        stream.next_out = (unsigned char *)*text + *bytes;
        code = inflate(&stream, Z_NO_FLUSH);
        left -= in - stream.avail_in;
        *bytes += space - stream.avail_out;
        if (code == Z_BUF_ERROR && left && *bytes == room)
            code = Z_OK;
        if (code == Z_STREAM_END && input_is_packed((const char *)stream.next_in, left))
            code = inflateReset(&stream);
    }
    inflateEnd(&stream);
    return code == Z_OK ? Z_MEM_ERROR : code;
}

enum shoal_status input_unpack_cut(const char *name, char **content, size_t *bytes, bool *is_cut,
                                   struct shoal_error *error)
{
    char *inflated = NULL;
    size_t count = 0;
    *is_cut = false;
    if (!input_is_packed(*content, *bytes))
        return SHOAL_OK;
    const int code = inflate_all(*content, *bytes, &inflated, &count);
    free(*content);
    *content = inflated;
    *bytes = count;
    if (inflated)
        inflated[count] = '\0';
    *is_cut = code == Z_BUF_ERROR;
    if (code == Z_STREAM_END || *is_cut)
        return SHOAL_OK;
    free(inflated);
    *content = NULL;
    return code == Z_MEM_ERROR
               ? fail_host_memory(error)
               : fail(error, SHOAL_IO, "%s: its gzip data are damaged, or their sum is wrong", name);
}

enum shoal_status input_unpack(const char *name, char **content, size_t *bytes, struct shoal_error *error)
{
    bool is_cut;
    enum shoal_status status = input_unpack_cut(name, content, bytes, &is_cut, error);
    if (status || !is_cut)
        return status;
    free(*content);
    *content = NULL;
    return fail(error, SHOAL_IO, "%s: is cut: its gzip data end early", name);
}

size_t input_unpack_begin(const char *packed, size_t count, char *out, size_t room)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)packed,
                       .avail_in = (uInt)count,
                       .next_out = (unsigned char *)out,
                       .avail_out = (uInt)room};
    if (inflateInit2(&stream, 15 + 16) != Z_OK)
        return 0;
    while (stream.avail_out && inflate(&stream, Z_NO_FLUSH) == Z_OK)
        ;
    inflateEnd(&stream);
    return room - stream.avail_out;
}

enum shoal_status read_input_unpacked(const char *path, const char *what, char **content, size_t *bytes,
                                      struct shoal_error *error)
{
    enum shoal_status status = read_input(path, what, INPUT_DATA_MOST, content, bytes, error);
    return status ? status : input_unpack(path, content, bytes, error);
}
