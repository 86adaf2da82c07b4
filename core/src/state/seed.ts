// Owns the random seed in force and draws from it. The host journals a new seed every second and the old one is told when
// it is replaced, so that whoever saw an outcome can do it again. The core itself knows no chance.

import { commandPlaces } from "../protocol/command.ts";
import { eventPlaces } from "../protocol/event.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "./core.ts";

const SET_SEED = commandPlaces("setSeed");

const SEED_REPLACED = eventPlaces("seedReplaced");

const SEED_WORDS = 8;
/** Doubles of the record behind the words of the seed: the sequence that set it, and how many there were. */
const SINCE = 4;
const NUMBER = 5;
export const SEED_STRIDE = 12;

export function setSeed(core: Core): number {
  const { i32, f64 } = core.seed;
  const at = SEED_STRIDE;
  const given = Array.from({ length: SEED_WORDS }, (_, i) => core.inputWords[core.textAt(SET_SEED.seed) + i] as number);
  if (given.every((word) => word === 0)) return REJECT.MALFORMED_COMMAND;
  const number = f64[at / 2 + NUMBER] as number;
  if (number !== 0) {
    const record = core.events.openClean(SEED_REPLACED.kind, 0, 0, 0, core.sequence);
    core.events.setWords(record, SEED_REPLACED.seed, i32, at, SEED_WORDS);
    core.events.setDouble(record, SEED_REPLACED.since, f64[at / 2 + SINCE] as number);
    core.events.setDouble(record, SEED_REPLACED.number, number);
  }
  for (let i = 0; i < SEED_WORDS; i++) i32[at + i] = given[i] as number;
  f64[at / 2 + SINCE] = core.sequence;
  f64[at / 2 + NUMBER] = number + 1;
  return 0;
}

function scramble(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Numbers of 32 bits that follow from the seed in force, the command at hand and what they are for. */
export function openDraw(core: Core, purpose: number): () => number {
  const words = core.seed.i32.subarray(SEED_STRIDE, SEED_STRIDE + SEED_WORDS);
  return drawFrom(words, core.sequence, purpose);
}

/** The same outside the core, for whoever checks an outcome with the seed that was told. */
export function drawFrom(seed: ArrayLike<number>, sequence: number, purpose: number): () => number {
  const words = [...Array.from(seed), sequence % 2 ** 32, Math.floor(sequence / 2 ** 32), purpose];
  // Each word of the generator follows from all of them.
  const state = (start: number): number =>
    words.reduce((mixed, word) => scramble(Math.imul(mixed, 0x9e3779b1) ^ word), start);
  let a = state(1);
  let b = state(2);
  let c = state(3);
  let d = state(4) | 1;
  // xoshiro128**
  return () => {
    const product = Math.imul(b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
}

/** A number below `bound`, every one as likely: draws that would favour the low ones are thrown away. */
function below(draw: () => number, bound: number): number {
  const fair = 2 ** 32 - (2 ** 32 % bound);
  let drawn = draw();
  while (drawn >= fair) drawn = draw();
  return drawn % bound;
}

/** Puts items in a drawn order, in place. */
export function shuffle<Item>(items: Item[], draw: () => number): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = below(draw, last + 1);
    const kept = items[last] as Item;
    items[last] = items[other] as Item;
    items[other] = kept;
  }
}
