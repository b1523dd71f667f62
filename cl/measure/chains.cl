/* Rate of arithmetic on numbers of one kind: see chains.clh. */
#ifndef WG
#define WG 256
#endif

#include "measure/chains.clh"
