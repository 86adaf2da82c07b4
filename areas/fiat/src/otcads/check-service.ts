// A preview of an ad before it is posted: every rule by its name, its price, its rank and its effect. Posts nothing.

import { decimalText, trimZeros } from "@clockwork/kit/decimal";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import { amountOf, feeOf, INDEX_SCALE, otcPriceText, stockWithFee } from "@clockwork/kit/otc/price";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { AdBook } from "./book-store.ts";
import type { AdChecks, AdDraft, CheckAdBody } from "./contract.ts";
import type { AdNeeds } from "./needs.ts";
import type { AdRefusal } from "./refusals.ts";
import { centsText, coinText, isFair, priceOf, rateText, readTerms, type Terms, worthOfCents } from "./rules.ts";
import type { AdStore } from "./store.ts";

export class AdCheckService {
  readonly #store: AdStore;
  readonly #needs: AdNeeds;
  readonly #book: AdBook;

  constructor({ store, needs, book }: { readonly store: AdStore; readonly needs: AdNeeds; readonly book: AdBook }) {
    this.#store = store;
    this.#needs = needs;
    this.#book = book;
  }

  /** Every rule by its name, so that a form can show what is missing before anything is posted. */
  async validate(userId: number, { adId, ...draft }: CheckAdBody): Promise<Result<AdChecks, AdRefusal>> {
    const coin = this.#needs.coin(draft.asset);
    if (coin === undefined) return refused("NO_PRICE");
    const terms = readTerms(draft, coin);
    if (typeof terms === "string") return refused(terms);
    const [maker, own, free, payments] = await Promise.all([
      this.#needs.maker(userId),
      this.#store.listOwn(userId),
      this.#needs.freeUnits(userId, coin),
      findPayments(this.#needs, userId, draft),
    ]);
    const changed = own.find(({ ad_id }) => String(ad_id) === adId);
    if (adId !== undefined && changed === undefined) return refused("AD_UNKNOWN");
    const others = own.length - (changed === undefined ? 0 : 1);
    const rateE8 = this.#needs.rateE8(draft.fiat);
    const frozen = draft.side === "sell" ? stockWithFee(terms.quantity_units) : 0n;
    // An ad that is online holds its coins already.
    const isHeld = changed?.state === "ONLINE" || changed?.state === "SOLD_OUT";
    const missing = isHeld || free >= frozen ? 0n : frozen - free;
    const checks: AdChecks["checks"] = [
      { rule: "merchant", isMet: maker.state === "ACTIVE", value: maker.state },
      { rule: "bond", isMet: maker.mayPost, value: maker.bondText },
      { rule: "slots", isMet: others < maker.adsMax, value: `${others}/${maker.adsMax}` },
      {
        rule: "price",
        isMet: isFair(terms, this.#needs.indexE6(draft.asset), rateE8),
        value: draft.premium ?? draft.price ?? "",
      },
      { rule: "limits", isMet: terms.min_cents <= terms.max_cents, value: `${draft.min}–${draft.max}` },
      {
        rule: "orderMax",
        isMet: rateE8 !== undefined && worthOfCents(terms.max_cents, rateE8) <= maker.orderMaxUnits,
        value: coinText(maker.orderMaxUnits, 6),
      },
      { rule: "payments", isMet: payments !== undefined, value: String(draft.paymentIds.length) },
      { rule: "funds", isMet: missing === 0n, value: coinText(free, coin.scale) },
    ];
    const ways = [...new Set(payments?.map(({ kind }) => kind))];
    const seen = { maker: this.#book.describeMaker(userId, maker), ways };
    return done({ checks, ...seen, ...this.#effect(userId, draft, coin, terms, { frozen, free, missing }) });
  }

  #effect(
    userId: number,
    draft: AdDraft,
    coin: LedgerCoin,
    terms: Terms,
    { frozen, free, missing }: { readonly frozen: bigint; readonly free: bigint; readonly missing: bigint },
  ): Omit<AdChecks, "checks" | "maker" | "ways"> {
    const { asset, fiat, side } = draft;
    const indexE6 = this.#needs.indexE6(asset);
    const rateE8 = this.#needs.rateE8(fiat);
    const price = priceOf(terms, indexE6, rateE8);
    const indexPrice = this.#book.indexPrice(asset, fiat);
    const { offers } = this.#book.offers(side === "sell" ? "buy" : "sell", asset, fiat, undefined);
    const rivals = offers.filter(({ ad }) => ad.user_id !== userId).map(({ priceE4 }) => priceE4);
    const isBetter = (one: bigint): boolean => price !== undefined && (side === "sell" ? one <= price : one >= price);
    return {
      price: price === undefined ? null : otcPriceText(price),
      indexPrice: indexPrice === undefined ? null : otcPriceText(indexPrice),
      index: indexE6 === undefined ? null : trimZeros(decimalText(indexE6, INDEX_SCALE)),
      rate: rateText(rateE8),
      frozen: coinText(frozen, coin.scale),
      fee: coinText(feeOf(terms.quantity_units), coin.scale),
      total: price === undefined ? "0" : centsText(amountOf(terms.quantity_units, coin.scale, price, fiat), fiat),
      free: coinText(free, coin.scale),
      missing: coinText(missing, coin.scale),
      rivals: rivals.slice(0, 50).map(otcPriceText),
      rank: rivals.filter(isBetter).length + 1,
    };
  }
}

/** In the order of choice; undefined when one is not the merchant's own in this currency. */
export async function findPayments(
  needs: Pick<AdNeeds, "listPayments">,
  userId: number,
  { paymentIds, fiat }: AdDraft,
) {
  const own = await needs.listPayments(userId);
  const found = paymentIds.map((id) => own.find((one) => one.paymentId === id && one.fiat === fiat));
  return found.every((one) => one !== undefined) ? found : undefined;
}
