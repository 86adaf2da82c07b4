// What the content slice wants from others: a source of exchange rates, a way to tell open pages, a log.
import type { Currency } from "@clockwork/kit/constants";
import type { CommonType } from "./contract.ts";

export interface SourcedRates {
  /** What one US dollar costs; a currency the source does not know is left out. */
  readonly rates: Readonly<Partial<Record<Currency, string>>>;
  readonly asOfMs: number;
}

/** The door to whoever knows rates. */
export interface RateSource {
  /** Shown to visitors. */
  readonly name: string;
  readonly isSimulated: boolean;
  /** Rejects when the source cannot be asked; the last known rates then stay, with their age. */
  fetchRates(timeMs: number): Promise<SourcedRates>;
}

export interface ContentNeeds {
  readonly source: RateSource;
  /** Tells every open page. */
  publish(type: CommonType, data: unknown): void;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
