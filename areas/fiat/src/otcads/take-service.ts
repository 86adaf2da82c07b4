// Whether a user can take an ad now, and at which price and quantity: checked just before an order is written. Reads
// the ad's own row, so that a slightly outdated list never decides.
import { parseUnits } from "@clockwork/kit/money";
import { PRICE_SCALE } from "@clockwork/kit/otc/price";
import type { AdBook } from "./book-store.ts";
import type { AdBar } from "./contract.ts";
import type { AdNeeds } from "./needs.ts";
import { type Deal, dealOf, findDealBar, findTakerBar, isFair, isResting, LEVEL_MIN } from "./rules.ts";
import type { AdRow, AdStore, MatchRow } from "./store.ts";

export interface Requested {
  readonly adId: number;
  readonly amount?: string | undefined;
  readonly quantity?: string | undefined;
  readonly matchId?: string | undefined;
  /** The price shown to the taker. */
  readonly price?: string | undefined;
}
export interface Takeable {
  readonly ad: AdRow;
  readonly priceE4: bigint;
  readonly deal: Deal;
  readonly matchId: string;
}

const BARS: Readonly<Record<AdBar, string>> = {
  OWN: "OWN_AD",
  MIN: "AMOUNT_BELOW_MIN",
  MAX: "AMOUNT_ABOVE_MAX",
  STOCK: "STOCK_TOO_SMALL",
  LEVEL: "CONDITION_LEVEL",
  FACTOR: "SECOND_FACTOR_REQUIRED",
  TRADED: "CONDITION_TRADED",
  AGE: "CONDITION_AGE",
  ORDERS: "CONDITION_ORDERS",
  COMPLETION: "CONDITION_COMPLETION",
  AWAY: "AD_OFFLINE",
  CLOSED: "MERCHANT_CLOSED",
  RESTS: "BUYER_RESTS",
};

interface Parts {
  readonly store: AdStore;
  readonly needs: AdNeeds;
  readonly book: AdBook;
}

export class TakeService {
  readonly #store: AdStore;
  readonly #needs: AdNeeds;
  readonly #book: AdBook;

  constructor({ store, needs, book }: Parts) {
    this.#store = store;
    this.#needs = needs;
    this.#book = book;
  }

  /** Returns a code when it cannot be taken. */
  async take(takerId: number, requested: Requested): Promise<Takeable | string> {
    const ad = await this.#store.find(requested.adId);
    if (ad === undefined || ad.state === "DELETED") return "AD_UNKNOWN";
    if (ad.state !== "ONLINE") return ad.state === "SOLD_OUT" ? "STOCK_TOO_SMALL" : "AD_OFFLINE";
    const barred = await this.#mayMeet(takerId, ad);
    if (barred !== undefined) return barred;
    const match = await this.#matchOf(takerId, requested.matchId);
    if (requested.matchId !== undefined && match?.ad_id !== ad.ad_id) return "MATCH_UNKNOWN";
    const priceE4 = match?.price_e4 ?? this.#book.price(ad);
    const coin = this.#needs.coin(ad.asset);
    if (priceE4 === undefined || coin === undefined) return "NO_PRICE";
    if (!isFair(ad, this.#needs.indexE6(ad.asset), this.#needs.rateE8(ad.fiat))) return "AD_OFFLINE";
    if (requested.price !== undefined && isWorse(ad, priceE4, requested.price)) return "PRICE_MOVED";
    const wanted = dealOf(requested, coin, ad.fiat, priceE4);
    if (wanted === "AMOUNT_INVALID") return wanted;
    // A price is held for an amount: more of it would be a free option on the index.
    if (match !== undefined && match.amount_cents !== wanted.amountCents) return "MATCH_UNKNOWN";
    const deal = match === undefined ? wanted : { ...wanted, quantityUnits: match.quantity_units };
    const bar = findDealBar(ad, deal);
    return bar === undefined ? { ad, priceE4, deal, matchId: match?.match_id ?? "" } : BARS[bar];
  }

  async #matchOf(takerId: number, matchId: string | undefined): Promise<MatchRow | undefined> {
    const row = matchId === undefined ? undefined : await this.#store.findMatch(matchId);
    return row?.user_id === takerId && row.order_id === "" && row.expires_ms > this.#needs.now() ? row : undefined;
  }

  async #mayMeet(takerId: number, ad: AdRow): Promise<string | undefined> {
    const [taker, maker] = await Promise.all([this.#needs.taker(takerId), this.#needs.maker(ad.user_id)]);
    const nowMs = this.#needs.now();
    if (taker.level < LEVEL_MIN) return "IDENTITY_LEVEL";
    if (taker.unmet.has(ad.user_id)) return "AD_BLOCKED";
    if (!maker.mayPost) return "AD_OFFLINE";
    if (!this.#needs.isWithinHours(maker.opensMinute, maker.closesMinute, nowMs)) return BARS.CLOSED;
    if (isResting(ad, maker, nowMs)) return BARS.RESTS;
    const bar = findTakerBar(ad, taker, nowMs);
    return bar === undefined ? undefined : BARS[bar];
  }
}

/** For the taker; a better price is accepted. */
function isWorse(ad: AdRow, priceE4: bigint, seen: string): boolean {
  const read = parseUnits(seen, PRICE_SCALE);
  if (!read.done) return true;
  return ad.side === "sell" ? priceE4 > read.value : priceE4 < read.value;
}
