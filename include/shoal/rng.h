/* Random numbers: the host's view of the generator that every kernel uses.
 *
 * <shoal/philox.clh> is the file cl/lib/philox.clh itself; it holds the functions (static inline, pure,
 * callable from any thread), enum shoal_stream and struct shoal_words. Same seed, stream, step, index and
 * draw: the same words on the host and on every device.
 */
#ifndef SHOAL_RNG_H
#define SHOAL_RNG_H

#include <math.h>
#include <stdint.h>

#define SHOAL_PHILOX_HOST
#include <shoal/philox.clh>
#undef SHOAL_PHILOX_HOST

#endif
