// Owns the lookups before an event is folded: the worth of its assets at that moment, and the cost of coins of a
// launch. Caches them for later events.
import { MINUTE_MS } from "../time.ts";
import type { Movement } from "./events.ts";
import type { Moment } from "./lots.ts";

/** Worth of units in money's units; rounded down. */
export type Worth = (units: bigint) => bigint;

export interface ValueSource {
  /**
   * The worth of an asset at a time, from values before its minute started; a later repeat gives the same. Undefined
   * without a value.
   */
  valueAt(asset: number, timeMs: number): Promise<Worth | undefined>;
  /** The cost of coins a launch distributes, by the reference of the movement. */
  launchCost(reference: string, units: bigint): Promise<bigint | undefined>;
}

const KEPT_MAX = 5_000;

export class Moments {
  readonly #source: ValueSource;
  readonly #money: number;
  readonly #values = new Map<string, Worth | undefined>();

  constructor(source: ValueSource, money: number) {
    this.#source = source;
    this.#money = money;
  }

  async of(group: readonly Movement[]): Promise<Moment> {
    const costs = new Map<string, bigint | undefined>();
    if (this.#values.size > KEPT_MAX) this.#values.clear();
    for (const { asset, timeMs, business, reference, units } of group) {
      if (asset === this.#money) continue;
      if (business === "launchAllocate" && units > 0n) {
        costs.set(`${reference}:${units}`, await this.#source.launchCost(reference, units));
      }
      const key = keyOf(asset, timeMs);
      if (!this.#values.has(key)) this.#values.set(key, await this.#source.valueAt(asset, timeMs));
    }
    return {
      valueAt: (asset, units, timeMs) =>
        asset === this.#money ? units : this.#values.get(keyOf(asset, timeMs))?.(units),
      launchCost: (reference, units) => costs.get(`${reference}:${units}`),
    };
  }
}

function keyOf(asset: number, timeMs: number): string {
  return `${asset}:${Math.floor(timeMs / MINUTE_MS)}`;
}
