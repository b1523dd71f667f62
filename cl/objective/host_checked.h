/* Macros with bounds checks, by which the text of an objective reads and sets genes at the points that are
 * tried before a search begins (src/objective/trial.c). With an index out of bounds, no gene is read or set.
 * Each thread keeps the first such index. */
#ifndef OBJECTIVE_HOST_CHECKED_H
#define OBJECTIVE_HOST_CHECKED_H

static _Thread_local struct host_fault host_first_fault;

/* Returns the first index out of bounds since the last call of this function; what NULL: there was none. */
__attribute__((visibility("default"))) struct host_fault shoal_host_fault(void)
{
    const struct host_fault fault = host_first_fault;
    host_first_fault = (struct host_fault){0};
    return fault;
}

static inline int host_is_in(long index, ulong count, const char *what, const char *file, int line)
{
    if (index >= 0 && (ulong)index < count)
        return 1;
    if (!host_first_fault.what)
        host_first_fault = (struct host_fault){what, file, line, index, count};
    return 0;
}

/* Returns the address of an element of an array; for an index out of bounds, the address of unused memory. */
static inline void *host_at(const void *array, size_t bytes, long index, ulong count, const char *what,
                            const char *file, int line)
{
    static _Thread_local double nothing;
    nothing = 0;
    return host_is_in(index, count, what, file, line) ? (char *)array + (size_t)index * bytes
                                                      : (char *)&nothing;
}

#define HOST_AT(type, array, i, count, what)                                                                 \
    (*(type *)host_at(array, sizeof(type), (long)(i), count, what, __FILE__, __LINE__))
#define HOST_WORD_OF(bit, what)                                                                              \
    (host_is_in((long)(bit), genome->bit_count, what, __FILE__, __LINE__) ? genome->words[(uint)(bit) / 32u] \
                                                                          : 0u)
/* Returns the index itself; 0 if it is out of bounds. ELEMENT checks only its indices, since the text names
 * the table. */
#define HOST_INDEX(i, count, what)                                                                           \
    (host_is_in((long)(i), (ulong)(count), what, __FILE__, __LINE__) ? (ulong)(i) : 0ul)

#define GENE(i)         ((real)HOST_AT(double, genome->reals, i, genome->real_count, "GENE"))
#define WHOLE(i)        ((int)HOST_AT(int, genome->wholes, i, genome->whole_count, "WHOLE"))
#define WORD(w)         ((uint)HOST_AT(unsigned, genome->words, w, (genome->bit_count + 31u) / 32u, "WORD"))
#define BIT(i)          (HOST_WORD_OF(i, "BIT") >> (uint)(i) % 32u & 1u)
#define PLACE(i)        ((uint)HOST_AT(unsigned short, genome->places, i, genome->place_count, "PLACE"))
#define SET_GENE(i, v)  SET(HOST_AT(double, genome->reals, i, genome->real_count, "SET_GENE") = (v))
#define SET_WHOLE(i, v) SET(HOST_AT(int, genome->wholes, i, genome->whole_count, "SET_WHOLE") = (v))
#define SET_WORD(w, v)                                                                                       \
    SET(HOST_AT(unsigned, genome->words, w, (genome->bit_count + 31u) / 32u, "SET_WORD") = (v))
#define SET_BIT(i, v)                                                                                        \
    SET(HOST_AT(unsigned, genome->words,                                                                     \
                host_is_in((long)(i), genome->bit_count, "SET_BIT", __FILE__, __LINE__)                      \
                    ? (long)((uint)(i) / 32u)                                                                \
                    : -1l,                                                                                   \
                (genome->bit_count + 31u) / 32u, "SET_BIT") =                                                \
            (HOST_WORD_OF(i, "SET_BIT") & ~(1u << (uint)(i) % 32u)) | (uint)((v) != 0) << (uint)(i) % 32u)
#define SET_PLACE(i, v)                                                                                      \
    SET(HOST_AT(unsigned short, genome->places, i, genome->place_count, "SET_PLACE") = (ushort)(v))
#define ELEMENT(table, row, column)                                                                          \
    (table)[HOST_INDEX(row, TABLE_ROWS, "row of ELEMENT") * COLUMNS +                                        \
            HOST_INDEX(column, COLUMNS, "column of ELEMENT")]

#endif
