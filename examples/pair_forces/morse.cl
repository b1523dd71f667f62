/* Morse's pair potential: a well of depth 1 at distance 1, a = 6 in units of the inverse of that distance.
 *
 * u(r) = exp(-2 a (r - 1)) - 2 exp(-a (r - 1)), P. M. Morse, Phys. Rev. 34 (1929) 57. */
#define CUTOFF 2.2

/* exp(-a (r - 1)) of the squared distance d. */
static inline real morse_bond(real d)
{
    return exp(R(-6.0) * (sqrt(d) - R(1.0)));
}

/* -u'(r) / r */
static inline real user_force(real d)
{
    const real bond = morse_bond(d);
    return R(12.0) * bond * (bond - R(1.0)) / sqrt(d);
}

static inline real user_energy(real d)
{
    const real bond = morse_bond(d);
    return bond * (bond - R(2.0));
}
