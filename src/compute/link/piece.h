/* Private: a range of bytes that a link copies. */
#ifndef SHOAL_COMPUTE_PIECE_H
#define SHOAL_COMPUTE_PIECE_H

#include <stddef.h>

struct shoal_buffer;

/* One of the ranges of bytes that are copied in a phase. */
struct link_piece {
    /* buffer of the device at which the link begins; link_take ignores it if link_is_given is true */
    struct shoal_buffer *source;
    size_t source_offset;        /* bytes */
    struct shoal_buffer *target; /* buffer of the device at which the link ends; link_give ignores it */
    size_t target_offset;        /* bytes */
    size_t bytes;                /* may be 0 */
};

#endif
