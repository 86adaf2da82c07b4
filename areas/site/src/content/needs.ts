// The ports of the content slice: a source of exchange rates, publishing to open pages, a log.
import type { Currency } from "@clockwork/kit/constants";
import type { CommonType } from "./contract.ts";

export interface SourcedRates {
  /** The price of one US dollar; currencies the source lacks are left out. */
  readonly rates: Readonly<Partial<Record<Currency, string>>>;
  readonly asOfMs: number;
}

/** The port to the source of rates. */
export interface RateSource {
  /** Shown to visitors. */
  readonly name: string;
  readonly isSimulated: boolean;
  /** Rejects when the source is unavailable; the last stored rates then remain, with their age. */
  fetchRates(timeMs: number): Promise<SourcedRates>;
}

export interface ContentNeeds {
  readonly source: RateSource;
  /** False where a rate that no one gave is left out rather than taken from the built-in table. */
  readonly maySimulateRates: boolean;
  /** Publishes to every open page. */
  publish(type: CommonType, data: unknown): void;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
