// One-click matching: the best ad for a deal, its price held for a minute, and the result.
import type { LedgerCoin } from "@clockwork/kit/instrument";
import { otcPriceText } from "@clockwork/kit/otc/price";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { AdBook, Offer } from "./book-store.ts";
import type { Match, MatchBody, NearestMatch } from "./contract.ts";
import type { AdNeeds } from "./needs.ts";
import type { AdRefusal } from "./refusals.ts";
import { type Choice, centsText, coinText, HELD_MS, LEVEL_MIN, reachOf, readChoice } from "./rules.ts";
import type { AdStore, MatchRow } from "./store.ts";

const PRUNE_MS = 3_600_000;

interface Parts {
  readonly store: AdStore;
  readonly needs: AdNeeds;
  readonly book: AdBook;
}

interface Requested {
  readonly request: Choice;
  readonly coin: LedgerCoin;
  readonly offers: readonly Offer[];
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

  /** The parsed request, and the ads the user may see. */
  async #read(
    userId: number,
    { side, asset, fiat, amount, quantity }: MatchBody,
  ): Promise<Result<Requested, AdRefusal>> {
    const taker = await this.#needs.taker(userId);
    if (taker.level < LEVEL_MIN) return refused("IDENTITY_LEVEL");
    if (side === "sell" && !taker.hasFactor) return refused("SECOND_FACTOR_REQUIRED");
    const coin = this.#needs.coin(asset);
    if (coin === undefined) return refused("NO_PRICE");
    const request = readChoice({ amount, quantity }, coin, fiat);
    if (request === "AMOUNT_INVALID") return refused(request);
    return done({ request, coin, offers: this.#book.offers(side, asset, fiat, taker).offers });
  }

  async match(userId: number, body: MatchBody): Promise<Result<Match, AdRefusal>> {
    const read = await this.#read(userId, body);
    if (!read.done) return read;
    const { side, amount, quantity, payment } = body;
    const found = this.#book.candidates(read.value.offers, { amount, quantity }, payment);
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
    await this.#store.addMatch(row, nowMs - PRUNE_MS);
    return done(this.#describe(row, offer, next?.offer.priceE4));
  }

  /** For a deal no ad accepts: the nearest accepted amount, and the range of that ad. */
  async nearest(userId: number, body: MatchBody): Promise<Result<NearestMatch, AdRefusal>> {
    const read = await this.#read(userId, body);
    if (!read.done) return read;
    const { request, coin, offers } = read.value;
    const reaches = this.#book.ready(offers, body.payment).flatMap(({ ad, priceE4 }) => {
      return reachOf(ad, request, coin, priceE4) ?? [];
    });
    const far = (value: bigint): bigint => (value < request.value ? request.value - value : value - request.value);
    // Of two equally near ones the first has the better price.
    const [first, ...others] = reaches;
    if (first === undefined) return done({ nearest: null });
    const { nearest, least, most } = others.reduce(
      (best, one) => (far(one.nearest) < far(best.nearest) ? one : best),
      first,
    );
    const write = (value: bigint): string =>
      request.by === "amount" ? centsText(value, body.fiat) : coinText(value, coin.scale);
    return done({ nearest: { value: write(nearest), min: write(least), max: write(most) } });
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
