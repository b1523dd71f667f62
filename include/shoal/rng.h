/* Random numbers: the host's view of the generator that every kernel uses, Philox4x32-10.
 *
 * <shoal/philox.clh> is the file cl/lib/philox.clh itself. It holds the functions (static inline, pure,
 * callable from any thread), enum shoal_stream and struct shoal_words:
 * - shoal_random_words(seed, stream, step, index, draw): four random words. Equal arguments give equal words
 *   on the host and on every device. SHOAL_STREAM_USER is for callers of the library.
 * - shoal_uniform_float(word), shoal_uniform_double(high, low): a number in [0, 1) of random words.
 * - shoal_normal_float(word0, word1, first, second), shoal_normal_double(words, first, second): two normal
 *   numbers of mean 0 and deviation 1. Last places may differ between devices.
 */
#ifndef SHOAL_RNG_H
#define SHOAL_RNG_H

#include <math.h>
#include <stdint.h>

#define SHOAL_PHILOX_HOST
#if !defined __has_include
#include <shoal/philox.clh>
#elif __has_include(<shoal/philox.clh>)
#include <shoal/philox.clh>
#else
/* the file of the source tree, which a build copies to the installed headers */
#include "../../cl/lib/philox.clh"
#endif
#undef SHOAL_PHILOX_HOST

#endif
