// Shapes of chance for the simulated market: normal, exponential, heavy-tailed, all from one seeded source.
// Never reads a clock; the same source gives the same numbers.
import { createRandom, type Random } from "@clockwork/kit/random";

const WORD = 4_294_967_296;

/** A source of its own for every step of every run: a restart goes on without remembering the source's inside. */
export function stepRandom(seed: number, step: number, stream: number): Random {
  const mixed =
    Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(step + 1, 0xc2b2ae35) ^ Math.imul(stream, 0x27d4eb2f);
  return createRandom(mixed);
}

/** In (0, 1). */
export function uniform(random: Random): number {
  return (random.next() + 0.5) / WORD;
}

export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(uniform(random))) * Math.cos(2 * Math.PI * uniform(random));
}

/** Heavy-tailed with mean 1: most are small, a few are many times the mean; cut at 60. */
export function heavyTailed(random: Random): number {
  const shape = 1.6;
  const value = ((shape - 1) / shape) * uniform(random) ** (-1 / shape);
  return Math.min(value, 60);
}

/** Around 1, never below 0. */
export function lognormal(random: Random, sigma: number): number {
  return Math.exp(sigma * normal(random) - (sigma * sigma) / 2);
}

/** How many of something that happens `mean` times on average. */
export function poisson(random: Random, mean: number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const floor = Math.exp(-mean);
  let count = 0;
  for (let product = uniform(random); product > floor; product *= uniform(random)) count += 1;
  return count;
}
