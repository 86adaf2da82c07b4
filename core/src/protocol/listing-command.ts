// Owns how a described instrument becomes the commands that list it. Never sends them, never holds a rule of its own.
import type { Instrument } from "@clockwork/kit/instrument";
import type { Tier } from "@clockwork/kit/margin";
import { toCoreUnits, units } from "@clockwork/kit/money";
import type { Command } from "./command.ts";

export type ListMarket = Extract<Command, { readonly kind: "listMarket" }>;
type SetTiers = Extract<Command, { readonly kind: "setTiers" }>;

const BPS_ONE = 10_000;

/** What an instrument does not say about its own listing. */
export interface ListingTerms extends Partial<Omit<ListMarket, "kind">> {
  readonly symbol: string;
  /** The core's ids of both coins. */
  readonly base: number;
  readonly quote: number;
}

export function listMarketCommand(instrument: Instrument, terms: ListingTerms): ListMarket {
  const { kind, stepUnits, minLots, maxLots, maxMarketLots, minNotionalUnits } = instrument;
  const { buyMaxBps, buyMinBps, sellMinBps, sellMaxBps } = instrument;
  const isInverse = kind === "inverse";
  // Orders of contracts keep the same distance from the mark on both sides.
  const band = kind === "spot" ? { buyMaxBps, buyMinBps, sellMinBps, sellMaxBps } : { bandBps: buyMaxBps - BPS_ONE };
  return {
    kind: "listMarket",
    marketKind: kind,
    tickMantissa: instrument.priceMantissa,
    tickDecimals: instrument.priceDecimals,
    // An inverse contract's lot is its face.
    ...(isInverse ? { stepUnits: 1, faceUnits: stepUnits } : { stepUnits }),
    minLots,
    maxLots,
    maxMarketLots,
    minNotionalUnits,
    ...band,
    ...terms,
  };
}

/** A ladder as the command that sets it. */
export function tiersCommand(market: number, tiers: readonly Tier[]): SetTiers {
  const members: Record<string, number> = {};
  for (const [i, { cap, rate, leverageMax }] of tiers.entries()) {
    members[`cap${i + 1}`] = toCoreUnits(units(cap));
    members[`rate${i + 1}`] = toCoreUnits(units(rate));
    members[`leverage${i + 1}`] = leverageMax;
  }
  return { kind: "setTiers", market, count: tiers.length, ...members } as unknown as SetTiers;
}
