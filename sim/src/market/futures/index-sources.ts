// Three simulated sources of every coin's index: noisy copies of its price that now and then fall silent or tell
// something far off, so that the rules for outliers and degraded indices are alive. Pure; chance comes from the seed.
import type { Command } from "@clockwork/core/protocol/command";
import { normal, stepRandom, uniform } from "../chance.ts";
import type { SimulatedContract } from "./contracts.ts";

export const SOURCES = 3;
/** Streams of chance nothing else uses. */
const STREAM = 0x4100;
const NOISE_BPS = 1.5;
const NOISE_SECONDS = 20;
/** Faults of one source and coin: how often a day, and how long they last. */
const SILENCES_A_DAY = 5;
const SILENCE_SECONDS = [15, 150] as const;
const LIES_A_DAY = 3;
const LIE_SECONDS = [10, 60] as const;
const LIE_SIZE = [0.06, 0.12] as const;
const DAY_SECONDS = 86_400;
const TICKS_MAX = 0x3fffffff;

interface Source {
  noise: number;
  /** What it is off by while it lies; 0 when it is right. */
  lie: number;
  isSilent: boolean;
  /** Seconds until the fault is over. */
  leftSeconds: number;
}

export class IndexSources {
  readonly #seed: number;
  readonly #coins: readonly string[];
  readonly #contracts: readonly SimulatedContract[];
  readonly #sources = new Map<string, Source[]>();

  constructor(seed: number, contracts: readonly SimulatedContract[]) {
    this.#seed = seed;
    this.#contracts = contracts;
    this.#coins = [...new Set(contracts.map(({ base }) => base))].sort();
    for (const coin of this.#coins) {
      this.#sources.set(
        coin,
        Array.from({ length: SOURCES }, () => ({ noise: 0, lie: 0, isSilent: false, leftSeconds: 0 })),
      );
    }
  }

  /** What the sources say at this step; the larger a market, the more often. Everything at the first. */
  speak(step: number, seconds: number, priceOf: (coin: string) => number, isFirst: boolean): Command[] {
    for (const [index, coin] of this.#coins.entries()) this.#live(index, coin, step, seconds, isFirst);
    const commands: Command[] = [];
    for (const [index, contract] of this.#contracts.entries()) {
      const every = contract.contractClass === "A" ? 3 : 4;
      for (const [source, state] of (this.#sources.get(contract.base) ?? []).entries()) {
        const isDue = isFirst || (step + index + source) % every === 0;
        if (!isDue || state.isSilent) continue;
        const price = priceOf(contract.base) * (1 + state.noise + state.lie);
        const ticks = Math.max(1, Math.min(TICKS_MAX, Math.round(price / contract.tick)));
        commands.push({ kind: "setIndexPrice", market: contract.market, source, price: ticks });
      }
    }
    return commands;
  }

  #live(index: number, coin: string, step: number, seconds: number, isFirst: boolean): void {
    const random = stepRandom(this.#seed, step, STREAM + index);
    const between = ([low, high]: readonly [number, number]): number => low + (high - low) * uniform(random);
    const pull = Math.min(1, seconds / NOISE_SECONDS);
    for (const source of this.#sources.get(coin) ?? []) {
      source.noise += pull * -source.noise + (NOISE_BPS / 10_000) * Math.sqrt(2 * pull) * normal(random);
      source.leftSeconds -= seconds;
      if (source.leftSeconds > 0 || isFirst) continue;
      source.isSilent = false;
      source.lie = 0;
      const chance = uniform(random) * DAY_SECONDS;
      if (chance < SILENCES_A_DAY * seconds) {
        source.isSilent = true;
        source.leftSeconds = between(SILENCE_SECONDS);
      } else if (chance < (SILENCES_A_DAY + LIES_A_DAY) * seconds) {
        source.lie = between(LIE_SIZE) * (uniform(random) < 0.5 ? -1 : 1);
        source.leftSeconds = between(LIE_SECONDS);
      }
    }
  }
}
