// Owns the progress output: one line per step, with the time it took. Never decides anything.

const startedAt = performance.now();

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

/** @param {string} text */
export const print = (text) => {
  process.stdout.write(`${text}\n`);
};

/**
 * Runs one step and prints how long it took; the line before it names the step.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const step = async (title, work) => {
  print(`• ${title} …`);
  const from = performance.now();
  const result = await work();
  print(`✓ ${title} (${seconds(performance.now() - from)}, ${seconds(performance.now() - startedAt)} in all)`);
  return result;
};

/** A problem the user can solve: printed as one line, without a stack. */
export class Refusal extends Error {}
