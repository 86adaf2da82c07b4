// How simulated takers trade: few at quiet times, in bursts when something happens, mostly small and rarely very large,
// skewed against what they already hold. Pure.
import type { Command } from "@clockwork/core/protocol/command";
import type { Random } from "@clockwork/kit/random";
import { heavyTailed, poisson, uniform } from "./chance.ts";
import type { PairNature, SimulatedPair } from "./instruments.ts";
import { lotsFor } from "./quoting.ts";

/** What a pair's takers are up to. */
export interface Mood {
  /** Above 0 while a burst lasts; decays. */
  burst: number;
  /** Which way the burst goes: 1 buys, −1 sells. */
  direction: number;
}

export interface TakeInput {
  readonly accounts: readonly number[];
  readonly pair: SimulatedPair;
  readonly nature: PairNature;
  readonly middle: number;
  /** Relative change of the middle since the last look. */
  readonly change: number;
  readonly quotePerUsdt: number;
  readonly seconds: number;
  /** How lively the hour and the regime are. */
  readonly heat: number;
  /** −1 holds far too little base, 1 far too much. */
  readonly skew: number;
  readonly takersMax: number;
}

const BURST_SECONDS = 9;
const BURSTS_A_SECOND = 0.012;
/** How far beyond the middle a taker still buys. */
const REACH = 0.0025;

export function takeItems(input: TakeInput, mood: Mood, random: Random): Command[] {
  const { nature, seconds, heat } = input;
  mood.burst *= Math.exp(-seconds / BURST_SECONDS);
  if (uniform(random) < 1 - Math.exp(-BURSTS_A_SECOND * heat * seconds)) {
    mood.burst += 4 + 6 * uniform(random);
    mood.direction = random.chance(1, 2) ? 1 : -1;
  }
  const mean = nature.takersPerSecond * seconds * heat * (1 + mood.burst);
  const count = Math.min(input.takersMax, poisson(random, mean));
  const items: Command[] = [];
  for (let index = 0; index < count; index += 1) items.push(takeItem(input, mood, random));
  return items;
}

function takeItem(input: TakeInput, mood: Mood, random: Random): Command {
  const { pair, nature, middle, quotePerUsdt } = input;
  // Takers run after the price and with the burst, and come back to what they should hold.
  const target = 0.5 + 0.22 * Math.tanh(input.change * 4_000) + 0.25 * Math.tanh(mood.burst / 4) * mood.direction;
  const side = uniform(random) < target - 0.45 * input.skew ? ("buy" as const) : ("sell" as const);
  const price = side === "buy" ? Math.ceil(middle * (1 + REACH)) : Math.max(1, Math.floor(middle * (1 - REACH)));
  const worth = nature.takerWorth * heavyTailed(random) * (1 + mood.burst / 12);
  return {
    kind: "placeOrder",
    account: random.pick(input.accounts),
    market: pair.market,
    side,
    price,
    quantity: lotsFor(pair, worth * quotePerUsdt, Math.max(1, Math.round(middle))),
    timeInForce: "IOC",
  };
}
