/* Parameter structs in one expression.
 *
 *     struct shoal_tsp_params params = SHOAL_TSP_PARAMS(.points = points, .count = 100);
 *
 * gives a struct filled with the defaults by its init function, in which the named members are set
 * afterwards. Members come in any order, up to 32 at once; without members every default stays. The macros
 * work within functions, in C11 and in C++, with gcc and clang. With other compilers call the init function
 * and assign the members.
 *
 * Put parentheses around a value with a comma outside parentheses. An array in braces, (double[]){0, 1}, ends
 * with the expression: a member that points to an array needs an array that the program keeps.
 */
#ifndef SHOAL_INIT_H
#define SHOAL_INIT_H

/* The initialiser macro of a parameter struct expands to SHOAL_INIT; `init` fills a struct of the type
 * `type`. */
#define SHOAL_INIT(type, init, ...)                                                                          \
    __extension__({                                                                                          \
        struct type shoal_init_;                                                                             \
        init(&shoal_init_);                                                                                  \
        SHOAL_SET_COUNTED(__VA_ARGS__, SHOAL_SETS, 0)(shoal_init_, __VA_ARGS__) shoal_init_;                 \
    })

/* clang-format off */
/* SHOAL_SET_3(params, .a = 1, .b = 2, .c = 3) assigns the three members; SHOAL_SET_COUNTED selects the macro
 * for the number of members that are given. */
#define SHOAL_SET_1(p, member) (void)(p member);
#define SHOAL_SET_2(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_1(p, __VA_ARGS__)
#define SHOAL_SET_3(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_2(p, __VA_ARGS__)
#define SHOAL_SET_4(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_3(p, __VA_ARGS__)
#define SHOAL_SET_5(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_4(p, __VA_ARGS__)
#define SHOAL_SET_6(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_5(p, __VA_ARGS__)
#define SHOAL_SET_7(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_6(p, __VA_ARGS__)
#define SHOAL_SET_8(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_7(p, __VA_ARGS__)
#define SHOAL_SET_9(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_8(p, __VA_ARGS__)
#define SHOAL_SET_10(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_9(p, __VA_ARGS__)
#define SHOAL_SET_11(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_10(p, __VA_ARGS__)
#define SHOAL_SET_12(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_11(p, __VA_ARGS__)
#define SHOAL_SET_13(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_12(p, __VA_ARGS__)
#define SHOAL_SET_14(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_13(p, __VA_ARGS__)
#define SHOAL_SET_15(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_14(p, __VA_ARGS__)
#define SHOAL_SET_16(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_15(p, __VA_ARGS__)
#define SHOAL_SET_17(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_16(p, __VA_ARGS__)
#define SHOAL_SET_18(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_17(p, __VA_ARGS__)
#define SHOAL_SET_19(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_18(p, __VA_ARGS__)
#define SHOAL_SET_20(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_19(p, __VA_ARGS__)
#define SHOAL_SET_21(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_20(p, __VA_ARGS__)
#define SHOAL_SET_22(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_21(p, __VA_ARGS__)
#define SHOAL_SET_23(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_22(p, __VA_ARGS__)
#define SHOAL_SET_24(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_23(p, __VA_ARGS__)
#define SHOAL_SET_25(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_24(p, __VA_ARGS__)
#define SHOAL_SET_26(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_25(p, __VA_ARGS__)
#define SHOAL_SET_27(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_26(p, __VA_ARGS__)
#define SHOAL_SET_28(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_27(p, __VA_ARGS__)
#define SHOAL_SET_29(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_28(p, __VA_ARGS__)
#define SHOAL_SET_30(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_29(p, __VA_ARGS__)
#define SHOAL_SET_31(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_30(p, __VA_ARGS__)
#define SHOAL_SET_32(p, member, ...) SHOAL_SET_1(p, member) SHOAL_SET_31(p, __VA_ARGS__)
#define SHOAL_SET_PICK(m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, \
                       m21, m22, m23, m24, m25, m26, m27, m28, m29, m30, m31, m32, set, ...) set
#define SHOAL_SET_COUNTED(...) SHOAL_SET_PICK(__VA_ARGS__)
#define SHOAL_SETS \
    SHOAL_SET_32, SHOAL_SET_31, SHOAL_SET_30, SHOAL_SET_29, SHOAL_SET_28, SHOAL_SET_27, SHOAL_SET_26, SHOAL_SET_25, \
    SHOAL_SET_24, SHOAL_SET_23, SHOAL_SET_22, SHOAL_SET_21, SHOAL_SET_20, SHOAL_SET_19, SHOAL_SET_18, SHOAL_SET_17, \
    SHOAL_SET_16, SHOAL_SET_15, SHOAL_SET_14, SHOAL_SET_13, SHOAL_SET_12, SHOAL_SET_11, SHOAL_SET_10, SHOAL_SET_9, \
    SHOAL_SET_8, SHOAL_SET_7, SHOAL_SET_6, SHOAL_SET_5, SHOAL_SET_4, SHOAL_SET_3, SHOAL_SET_2, SHOAL_SET_1
/* clang-format on */

#endif
