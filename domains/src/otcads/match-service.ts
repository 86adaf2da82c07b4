// One-key matching: the best ad that takes a deal, its price held for a minute, and what became of it.
import { otcPriceText } from "@clockwork/kit/otc/price";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Match, MatchBody } from "./api.ts";
import type { AdBook, Offer } from "./book-store.ts";
import type { AdNeeds } from "./needs.ts";
import { type AdRefusal, centsText, coinText, HELD_MS, LEVEL_MIN } from "./rules.ts";
import type { AdStore, MatchRow } from "./store.ts";

const FORGET_MS = 3_600_000;

interface Parts {
  readonly store: AdStore;
  readonly needs: AdNeeds;
  readonly book: AdBook;
}

export class MatchService {
  readonly #store: AdStore;
  readonly #needs: AdNeeds;
  readonly #book: AdBook;

  constructor({ store, needs, book }: Parts) {
    this.#store = store;
    this.#needs = needs;
    this.#book = book;
  }

  async match(
    userId: number,
    { side, asset, fiat, amount, quantity, payment }: MatchBody,
  ): Promise<Result<Match, AdRefusal>> {
    const taker = await this.#needs.taker(userId);
    if (taker.level < LEVEL_MIN) return refused("IDENTITY_LEVEL");
    if (side === "sell" && !taker.hasFactor) return refused("SECOND_FACTOR_REQUIRED");
    if ((amount === undefined) === (quantity === undefined)) return refused("AMOUNT_INVALID");
    const { offers } = this.#book.offers(side, asset, fiat, taker);
    const found = this.#book.candidates(offers, { amount, quantity }, payment);
    const [best, next] = found;
    if (best === undefined) return refused("NO_MATCH");
    const { offer, deal } = best;
    const nowMs = this.#needs.now();
    const row: MatchRow = {
      match_id: this.#needs.randomId(),
      user_id: userId,
      ad_id: offer.ad.ad_id,
      side,
      price_e4: offer.priceE4,
      quantity_units: deal.quantityUnits,
      amount_cents: deal.amountCents,
      candidates: found.length,
      expires_ms: nowMs + HELD_MS,
      order_id: "",
    };
    await this.#store.addMatch(row, nowMs - FORGET_MS);
    return done(this.#describe(row, offer, next?.offer.priceE4));
  }

  async status(userId: number, matchId: string): Promise<Result<Match, AdRefusal>> {
    const row = await this.#store.findMatch(matchId);
    if (row === undefined || row.user_id !== userId) return refused("MATCH_UNKNOWN");
    return done(this.#describe(row, await this.#offerOf(row), undefined));
  }

  async #offerOf(row: MatchRow): Promise<Offer | undefined> {
    const ad = await this.#store.find(row.ad_id);
    const maker = ad === undefined ? undefined : await this.#needs.maker(ad.user_id);
    return ad === undefined || maker === undefined ? undefined : { ad, maker, priceE4: row.price_e4, bar: undefined };
  }

  #describe(row: MatchRow, offer: Offer | undefined, nextPrice: bigint | undefined): Match {
    const leftMs = Math.max(0, row.expires_ms - this.#needs.now());
    const fiat = offer?.ad.fiat ?? "";
    return {
      matchId: row.match_id,
      state: row.order_id !== "" ? "TAKEN" : leftMs > 0 ? "HELD" : "EXPIRED",
      ad: offer === undefined ? null : this.#book.describe(offer),
      price: otcPriceText(row.price_e4),
      quantity: coinText(row.quantity_units, this.#needs.coin(offer?.ad.asset ?? "")?.scale ?? 0),
      amount: centsText(row.amount_cents, fiat),
      candidates: row.candidates,
      nextPrice: nextPrice === undefined ? null : otcPriceText(nextPrice),
      leftMs,
      expiresAtMs: row.expires_ms,
      orderId: row.order_id === "" ? null : row.order_id,
    };
  }
}
