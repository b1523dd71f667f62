/* pagmo's particle swarm on the size of pso.cpu.rastrigin30-1024: the CPU peer to compare with.
 *
 *     bench/peers/run.py pagmo        (Debian: libpagmo-dev)
 *
 * 1024 particles, Rastrigin's function in 30 dimensions, whole generations in double precision, inertia 0.7298,
 * c1 = c2 = 1.49618, global best. Rows: without a batch evaluator (one thread), with thread_bfe (all threads), and with
 * member_bfe over an OpenMP loop (all threads). The objective is compiled here, pso_gen itself by the distribution.
 */
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <omp.h>
#include <pagmo/algorithm.hpp>
#include <pagmo/algorithms/pso_gen.hpp>
#include <pagmo/batch_evaluators/member_bfe.hpp>
#include <pagmo/batch_evaluators/thread_bfe.hpp>
#include <pagmo/bfe.hpp>
#include <pagmo/config.hpp>
#include <pagmo/population.hpp>
#include <pagmo/problem.hpp>
#include <utility>
#include <vector>

namespace
{
const unsigned dim = 30, particles = 1024, generations = 50;
const int samples = 15;

double value(const double *x)
{
    const double turn = 6.28318530717958647692;
    double sum = 0;
    for (unsigned d = 0; d < dim; d++)
        sum += x[d] * x[d] - 10 * std::cos(turn * x[d]) + 10;
    return sum;
}

struct rastrigin {
    pagmo::vector_double fitness(const pagmo::vector_double &x) const
    {
        return {value(x.data())};
    }
    pagmo::vector_double batch_fitness(const pagmo::vector_double &x) const
    {
        const long count = (long)(x.size() / dim);
        pagmo::vector_double f((size_t)count);
#pragma omp parallel for schedule(static)
        for (long i = 0; i < count; i++)
            f[(size_t)i] = value(x.data() + i * dim);
        return f;
    }
    std::pair<pagmo::vector_double, pagmo::vector_double> get_bounds() const
    {
        return {pagmo::vector_double(dim, -5.12), pagmo::vector_double(dim, 5.12)};
    }
    pagmo::thread_safety get_thread_safety() const
    {
        return pagmo::thread_safety::constant;
    }
};

void measure(const char *suffix, const char *variant, const pagmo::bfe *evaluator)
{
    pagmo::pso_gen swarm(generations, 0.7298, 1.49618, 1.49618, 0.5, 1u, 1u, 4u, true, 1u);
    if (evaluator)
        swarm.set_bfe(*evaluator);
    pagmo::algorithm algorithm(swarm);
    pagmo::population population(pagmo::problem(rastrigin()), particles, 1u);
    population = algorithm.evolve(population); /* warm-up */
    const unsigned long long before = population.get_problem().get_fevals();
    std::vector<double> rates;
    for (int i = 0; i < samples; i++) {
        const auto start = std::chrono::steady_clock::now();
        population = algorithm.evolve(population);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        rates.push_back((double)particles * generations / seconds.count());
    }
    const unsigned long long counted = population.get_problem().get_fevals() - before;
    const double claimed = population.champion_f()[0], actual = value(population.champion_x().data());
    /* It evaluates each particle in each generation; some versions count the first generation once more. */
    const unsigned long long expected = (unsigned long long)particles * generations * samples;
    const bool passed = std::abs(claimed - actual) <= 1e-9 * std::fmax(1, std::abs(actual)) && counted >= expected &&
                        counted <= expected + expected / generations;
    std::printf("{\"case\": \"peer.pagmo-%d.%d.%d.rastrigin30-%u%s\", \"device\": \"host\", \"variant\": \"%s\", "
                "\"precision\": \"fp64\", \"unit\": \"evaluations/s\", \"better\": \"higher\", \"check\": \"%s\", "
                "\"error\": %.3g, \"samples\": [",
                PAGMO_VERSION_MAJOR, PAGMO_VERSION_MINOR, PAGMO_VERSION_PATCH, particles, suffix, variant,
                passed ? "pass" : "fail", std::abs(claimed - actual));
    for (size_t i = 0; i < rates.size(); i++)
        std::printf("%s%.17g", i ? ", " : "", rates[i]);
    std::printf("]}\n");
}
} // namespace

int main()
{
    char all[16];
    const pagmo::bfe threads{pagmo::thread_bfe{}}, member{pagmo::member_bfe{}};
    std::snprintf(all, sizeof all, "t%d", omp_get_max_threads());
    measure("", "t1", nullptr);
    measure("-thread-bfe", all, &threads);
    measure("-member-bfe", all, &member);
    return 0;
}
