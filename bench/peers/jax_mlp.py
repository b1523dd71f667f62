#!/usr/bin/env python3
"""A net in JAX on the sizes of the mlp cases: an epoch is one compiled scan over its updates, the rows stay on the device.

usage: bench/peers/run.py jax-mlp        or: jax_mlp.py [--samples N]

ReLU, cross-entropy, Adam 0.001, fp32, rows gathered by a new permutation in each epoch. On a CPU only the smallest
case is run. The check compares the gradient of one batch with NumPy's in double precision.
"""
import argparse
import json
import os
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

CASES = (("784-128-10-b128", (784, 128, 10), 128, 12800), ("784-512-512-10-b8192", (784, 512, 512, 10), 8192, 65536),
         ("468-468-2-full", (468, 468, 2), 15360, 15360))
RATE, BETA1, BETA2, EPSILON = 0.001, 0.9, 0.999, 1e-8


def logits(net, x):
    for w, b in net[:-1]:
        x = jax.nn.relu(x @ w + b)
    return x @ net[-1][0] + net[-1][1]


def loss(net, x, y):
    return -jnp.take_along_axis(jax.nn.log_softmax(logits(net, x)), y[:, None], 1).mean()


def update(state, rows, x, y):
    net, first, second, count = state
    gradient = jax.grad(loss)(net, x[rows], y[rows])
    count = count + 1
    first = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, first, gradient)
    second = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, second, gradient)
    one, two = 1 - BETA1 ** count, 1 - BETA2 ** count
    net = jax.tree.map(lambda w, m, v: w - RATE * (m / one) / (jnp.sqrt(v / two) + EPSILON), net, first, second)
    return (net, first, second, count), None


def epoch_of(batch, rows):
    def epoch(state, key, x, y):
        order = jax.random.permutation(key, rows).reshape(rows // batch, batch)
        return jax.lax.scan(lambda s, r: update(s, r, x, y), state, order)[0]
    return jax.jit(epoch, donate_argnums=0)


def exact_gradient(net, x, y):
    """The gradient in double precision, calculated by hand."""
    net = [(np.asarray(w, float), np.asarray(b, float)) for w, b in net]
    values = [np.asarray(x, float)]
    for w, b in net[:-1]:
        values.append(np.maximum(values[-1] @ w + b, 0))
    last = values[-1] @ net[-1][0] + net[-1][1]
    delta = np.exp(last - last.max(1, keepdims=True))
    delta /= delta.sum(1, keepdims=True)
    delta[np.arange(len(y)), y] -= 1
    delta /= len(y)
    gradient = []
    for value, (w, _) in zip(values[::-1], net[::-1]):
        gradient += [delta.sum(0), value.T @ delta]
        delta = (delta @ w.T) * (value > 0)
    return gradient[::-1]


def error_of(net, x, y):
    got = [np.asarray(part, float) for layer in jax.grad(loss)(net, x, y) for part in layer]
    wanted = exact_gradient(net, x, np.asarray(y))
    return float(np.sqrt(sum(((a - b) ** 2).sum() for a, b in zip(got, wanted)) / sum((b ** 2).sum() for b in wanted)))


def measure(widths, batch, rows, count):
    """Returns the seconds of an epoch, as `count` samples of at least half a second, and the gradient's error."""
    random = np.random.default_rng(1)
    x = jnp.asarray(random.random((rows, widths[0])), jnp.float32)
    y = jnp.asarray(random.integers(widths[-1], size=rows))
    net = [(jnp.asarray(random.normal(0, (2 / i) ** 0.5, (i, o)), jnp.float32), jnp.zeros(o, jnp.float32))
           for i, o in zip(widths, widths[1:])]
    error = error_of(net, x[:batch], y[:batch])
    zero = jax.tree.map(jnp.zeros_like, net)
    state, epoch, key = (net, zero, jax.tree.map(jnp.copy, zero), jnp.float32(0)), epoch_of(batch, rows), jax.random.key(1)
    state = jax.block_until_ready(epoch(state, key, x, y))
    seconds = []
    for _ in range(count):
        begin, epochs = time.perf_counter(), 0
        while time.perf_counter() - begin < 0.5:
            key, used = jax.random.split(key)
            state = jax.block_until_ready(epoch(state, used, x, y))
            epochs += 1
        seconds.append((time.perf_counter() - begin) / epochs)
    return seconds, error


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=7)
    options = parser.parse_args()
    jax.config.update("jax_default_matmul_precision", "highest")
    where = "gpu" if jax.default_backend() == "gpu" else "host"
    variant = "scan" if where == "gpu" else f"t{os.cpu_count()}"
    for name, widths, batch, rows in CASES[:1] if where == "host" else CASES:
        seconds, error = measure(widths, batch, rows, options.samples)
        # Some of the millions of ReLU units have sums close to 0: rounding turns these on or off.
        print(json.dumps({"case": f"peer.jax-{jax.__version__}.mlp-{name}", "device": where, "variant": variant,
                          "precision": "fp32", "unit": "rows/s", "better": "higher",
                          "check": "pass" if error <= 1e-3 else "fail", "error": error,
                          "samples": [rows / s for s in seconds]}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
