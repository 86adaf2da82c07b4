// Owns asking for something on an account's behalf as if its owner had sent the command: the same function, the same
// checks, from words of our own.
import type { Core } from "../state/core.ts";

const WORDS = 64;
const words = new Int32Array(WORDS);
const doubles = new Float64Array(words.buffer);

/** Words and doubles by the places of the command's members; what is a byte stands in the lowest of a word. */
export function ask(
  core: Core,
  account: number,
  run: (core: Core, account: number) => number,
  members: ReadonlyMap<number, number>,
  wide: ReadonlyMap<number, number> = new Map(),
): number {
  const { inputWords, inputDoubles, inputAt } = core;
  words.fill(0);
  for (const [double, value] of wide) doubles[double] = value;
  for (const [word, value] of members) words[word] = value;
  core.inputWords = words;
  core.inputDoubles = doubles;
  core.inputAt = 0;
  core.checkLimit[0] = 0;
  const code = run(core, account);
  core.inputWords = inputWords;
  core.inputDoubles = inputDoubles;
  core.inputAt = inputAt;
  return code;
}
