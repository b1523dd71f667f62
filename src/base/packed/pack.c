#include "base/packed/pack.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

struct packer {
    z_stream stream;
};

bool pack_is_asked_for(const char *path)
{
    const size_t length = strlen(path);
    return length > 3 && strcasecmp(path + length - 3, ".gz") == 0;
}

bool pack_has_ending(const char *path, const char *ending)
{
    const size_t length = strlen(path) - (pack_is_asked_for(path) ? 3 : 0), own = strlen(ending);
    return length >= own && strncasecmp(path + length - own, ending, own) == 0;
}

struct packer *packer_create(void)
{
    enum { WINDOW = 15 + 16, MEMORY = 8 }; /* the largest window, and the header of gzip */
    struct packer *packer = calloc(1, sizeof *packer);
    if (packer && deflateInit2(&packer->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, WINDOW, MEMORY,
                               Z_DEFAULT_STRATEGY) != Z_OK) {
        free(packer);
        return NULL;
    }
    return packer;
}

bool packer_add(struct packer *packer, const void *data, size_t bytes, enum pack_until until,
                struct text *out)
{
    enum { PIECE = 1 << 30 };
    static const int flush[] = {[PACK_MORE] = Z_NO_FLUSH, [PACK_WHOLE] = Z_SYNC_FLUSH, [PACK_END] = Z_FINISH};
    z_stream *stream = &packer->stream;
    char packed[1 << 15];
    int code = Z_OK;
    stream->next_in = (unsigned char *)(uintptr_t)data;
    do {
        const uInt now = bytes < PIECE ? (uInt)bytes : PIECE;
        stream->avail_in = now;
        bytes -= now;
        do {
            stream->next_out = (unsigned char *)packed;
            stream->avail_out = sizeof packed;
            code = deflate(stream, bytes ? Z_NO_FLUSH : flush[until]);
            text_append(out, packed, sizeof packed - stream->avail_out);
        } while (stream->avail_out == 0 && code == Z_OK);
    } while (bytes);
    if (until == PACK_END && code == Z_STREAM_END)
        code = deflateReset(stream);
    /* Z_BUF_ERROR: there was nothing left to flush. */
    return (code == Z_OK || code == Z_BUF_ERROR) && !out->failed;
}

void packer_destroy(struct packer **packer)
{
    if (*packer)
        deflateEnd(&(*packer)->stream);
    free(*packer);
    *packer = NULL;
}
