/* Memory for the values of a column while rows are added: pieces, which a block takes one after another, so
 * that the values are not held twice. The first piece grows; the others are mapped, since an allocator may
 * keep memory that is freed. */
#include "dataset/dataset.h"

#include <stdlib.h>
#include <sys/mman.h>

size_t storage_bytes(enum storage storage)
{
    static const size_t bytes[] = {0, 1, sizeof(float), sizeof(double)};
    return bytes[storage];
}

static size_t piece_bytes(const struct column *column)
{
    return PIECE_ROWS * storage_bytes(column->storage);
}

/* Gives the first piece memory for `rows` rows. */
static bool grow(struct column *column, size_t rows)
{
    void *piece = realloc(column->pieces ? column->values[0] : NULL, rows * storage_bytes(column->storage));
    if (!piece)
        return false;
    column->values[0] = piece;
    column->pieces = 1;
    return true;
}

bool column_make_room(struct column *column, size_t room)
{
    const size_t pieces = (room + PIECE_ROWS - 1) / PIECE_ROWS;
    void **values = realloc(column->values, pieces * sizeof *values);
    if (!values)
        return false;
    column->values = values;
    if (column->pieces < 2 && !grow(column, room < PIECE_ROWS ? room : PIECE_ROWS))
        return false;
    for (; column->pieces < pieces; column->pieces++) {
        void *piece =
            mmap(NULL, piece_bytes(column), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (piece == MAP_FAILED)
            return false;
        values[column->pieces] = piece;
    }
    return true;
}

void column_drop_piece(struct column *column)
{
    void *piece = column->values[--column->pieces];
    if (column->pieces)
        munmap(piece, piece_bytes(column));
    else
        free(piece);
}

void column_drop(struct column *column)
{
    while (column->pieces)
        column_drop_piece(column);
    free(column->values);
    column->values = NULL;
}
