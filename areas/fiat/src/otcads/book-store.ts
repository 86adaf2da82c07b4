// The ads that are online, in memory: lists, prices and matching read here and no table. Prices are computed when they
// are read, so ten thousand floating ads follow the index without a write, and a market's order is cached until an ad,
// a maker, the index or a rate changes. Refreshed from the table after every change.

import { decimalText, trimZeros } from "@clockwork/kit/decimal";
import { FIATS, OTC_COINS, type PaymentKind } from "@clockwork/kit/otc/fiat";
import { floatingPrice, INDEX_SCALE, otcPriceText, premiumOf } from "@clockwork/kit/otc/price";
import type { Ad, AdBar, AdPage, AdsQuery, Maker, OtcIndex } from "./contract.ts";
import type { AdNeeds, MakerInfo, TakerInfo } from "./needs.ts";
import {
  bpsText,
  centsText,
  coinText,
  type Deal,
  dealOf,
  findDealBar,
  findTakerBar,
  isAway,
  isFair,
  isResting,
  priceOf,
  rateText,
} from "./rules.ts";
import type { AdRow, AdStore } from "./store.ts";

/** An ad with its price now. */
interface PricedAd {
  readonly ad: AdRow;
  readonly maker: MakerInfo;
  readonly priceE4: bigint;
}
/** With why it cannot be taken. */
export interface Offer extends PricedAd {
  readonly bar: AdBar | undefined;
}
/** A market sorted by price, and the inputs of the prices. */
interface Ranking {
  readonly indexE6: bigint | undefined;
  readonly rateE8: bigint | undefined;
  readonly ranked: readonly PricedAd[];
}

const PAGE = 20;
const WINDOW_MAX = 60;

export class AdBook {
  readonly #store: AdStore;
  readonly #needs: AdNeeds;
  readonly #ads = new Map<number, AdRow>();
  /** The same by side, coin and currency: a list iterates only its own market, in the order of the last ranking. */
  readonly #markets = new Map<string, Map<number, AdRow>>();
  readonly #makers = new Map<number, MakerInfo>();
  /** By market; cleared when one of its ads or any maker changes. */
  readonly #rankings = new Map<string, Ranking>();

  constructor({ store, needs }: { readonly store: AdStore; readonly needs: AdNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async load(): Promise<void> {
    const rows = await this.#store.listStates(["ONLINE", "SOLD_OUT"]);
    for (const userId of new Set(rows.map((row) => row.user_id))) await this.refreshMaker(userId);
    for (const row of rows) this.#put(row);
  }

  #put(row: AdRow): void {
    this.#drop(row.ad_id);
    this.#ads.set(row.ad_id, row);
    const name = marketOf(row.side, row.asset, row.fiat);
    this.#rankings.delete(name);
    const market = this.#markets.get(name) ?? new Map<number, AdRow>();
    this.#markets.set(name, market.set(row.ad_id, row));
  }

  #drop(adId: number): void {
    const known = this.#ads.get(adId);
    if (known === undefined) return;
    this.#ads.delete(adId);
    const name = marketOf(known.side, known.asset, known.fiat);
    this.#markets.get(name)?.delete(adId);
    this.#rankings.delete(name);
  }

  /** A recent write; an older row never replaces a newer one. */
  async note(row: AdRow): Promise<void> {
    if (!this.#makers.has(row.user_id)) await this.refreshMaker(row.user_id);
    const known = this.#ads.get(row.ad_id);
    if (known !== undefined && (known.version > row.version || known.changed_ms > row.changed_ms)) return;
    if (row.state === "ONLINE" || row.state === "SOLD_OUT") this.#put(row);
    else this.#drop(row.ad_id);
    this.#needs.changed();
  }

  async refresh(adId: number): Promise<void> {
    const row = await this.#store.find(adId);
    if (row !== undefined) await this.note(row);
  }

  async refreshMaker(userId: number): Promise<void> {
    this.#makers.set(userId, await this.#needs.maker(userId));
    this.#rankings.clear();
  }

  /** Ads that are online although their owners may post none. */
  listUnwelcome(): readonly number[] {
    const rows = [...this.#ads.values()].filter(({ user_id }) => this.#makers.get(user_id)?.mayPost !== true);
    return rows.map(({ ad_id }) => ad_id);
  }

  makerOf(userId: number): MakerInfo | undefined {
    return this.#makers.get(userId);
  }

  price(ad: Pick<AdRow, "price_e4" | "premium_bps" | "asset" | "fiat">): bigint | undefined {
    return priceOf(ad, this.#needs.indexE6(ad.asset), this.#needs.rateE8(ad.fiat));
  }

  indexPrice(asset: string, fiat: string): bigint | undefined {
    const indexE6 = this.#needs.indexE6(asset);
    const rateE8 = this.#needs.rateE8(fiat);
    return indexE6 === undefined || rateE8 === undefined ? undefined : floatingPrice(indexE6, rateE8, 10_000);
  }

  /** Every ad of one market side that can be shown, best price first. */
  #ranked(side: "buy" | "sell", asset: string, fiat: string): readonly PricedAd[] {
    const market = marketOf(side === "buy" ? "sell" : "buy", asset, fiat);
    const [indexE6, rateE8] = [this.#needs.indexE6(asset), this.#needs.rateE8(fiat)];
    const known = this.#rankings.get(market);
    if (known !== undefined && known.indexE6 === indexE6 && known.rateE8 === rateE8) return known.ranked;
    const ranked: PricedAd[] = [];
    const others: AdRow[] = [];
    const sign = side === "buy" ? 1 : -1;
    const order = (left: PricedAd, right: PricedAd): number =>
      sign * compare(left.priceE4, right.priceE4) || left.ad.ad_id - right.ad.ad_id;
    let isInOrder = true;
    for (const ad of this.#markets.get(market)?.values() ?? []) {
      const maker = this.#makers.get(ad.user_id);
      const priceE4 = priceOf(ad, indexE6, rateE8);
      const isShown = ad.state === "ONLINE" && maker?.mayPost === true && isFair(ad, indexE6, rateE8);
      if (!isShown || priceE4 === undefined) {
        others.push(ad);
        continue;
      }
      const one = { ad, maker, priceE4 };
      const last = ranked.at(-1);
      isInOrder &&= last === undefined || order(last, one) <= 0;
      ranked.push(one);
    }
    if (!isInOrder) {
      // The next sort starts with this order: the index moves all of it together, so little of it changes.
      ranked.sort(order);
      this.#markets.set(market, new Map([...ranked.map(({ ad }) => ad), ...others].map((ad) => [ad.ad_id, ad])));
    }
    this.#rankings.set(market, { indexE6, rateE8, ranked });
    return ranked;
  }

  /** Of those, the ones of users the taker is not blocked from. */
  #shown(side: "buy" | "sell", asset: string, fiat: string, taker: TakerInfo | undefined) {
    const ranked = this.#ranked(side, asset, fiat);
    if (taker === undefined || taker.unmet.size === 0) return { shown: ranked, hidden: 0 };
    const shown = ranked.filter(({ ad }) => !taker.unmet.has(ad.user_id));
    return { shown, hidden: ranked.length - shown.length };
  }

  /** Every ad of one market side the user may see, best price first. */
  offers(
    side: "buy" | "sell",
    asset: string,
    fiat: string,
    taker: TakerInfo | undefined,
  ): { offers: Offer[]; hidden: number } {
    const timeMs = this.#needs.now();
    const { shown, hidden } = this.#shown(side, asset, fiat, taker);
    return { offers: shown.map((one) => ({ ...one, bar: this.#bar(one.ad, one.maker, taker, timeMs) })), hidden };
  }

  #bar(ad: AdRow, maker: MakerInfo, taker: TakerInfo | undefined, timeMs: number): AdBar | undefined {
    if (!this.#needs.isWithinHours(maker.opensMinute, maker.closesMinute, timeMs)) return "CLOSED";
    if (isResting(ad, maker, timeMs)) return "RESTS";
    return findTakerBar(ad, taker, timeMs);
  }

  /** Whether an ad can be taken is checked only for those shown, unless only such are requested. */
  page(query: AdsQuery, taker: TakerInfo | undefined): AdPage {
    const { side = "buy", asset = "USDT", fiat = "AED", page = 1, size = PAGE, payment, merchant = 0 } = query;
    const timeMs = this.#needs.now();
    const { shown, hidden } = this.#shown(side, asset, fiat, taker);
    const offerOf = (one: PricedAd): Offer => {
      const bar = this.#bar(one.ad, one.maker, taker, timeMs) ?? this.dealBar(one, query.amount);
      return { ...one, bar };
    };
    const { windowMin = 0, windowMax = WINDOW_MAX } = query;
    const isAnyWindow = windowMin === 0 && windowMax === WINDOW_MAX;
    const isAny = payment === undefined && merchant === 0 && isAnyWindow && query.usable !== true;
    const requested = isAny
      ? shown
      : shown.filter(
          (one) =>
            (payment === undefined || kindsOf(one.ad).includes(payment)) &&
            one.maker.level >= merchant &&
            one.ad.window_minutes >= windowMin &&
            one.ad.window_minutes <= windowMax &&
            (query.usable !== true || offerOf(one).bar === undefined),
        );
    const sorted =
      query.sort === undefined || query.sort === "price" ? requested : [...requested].sort(SORTS[query.sort]);
    const indexPrice = this.indexPrice(asset, fiat);
    return {
      ads: sorted.slice((page - 1) * size, page * size).map((one) => this.describe(offerOf(one))),
      total: requested.length,
      page,
      hidden,
      indexPrice: indexPrice === undefined ? null : otcPriceText(indexPrice),
    };
  }

  /** Undefined without a requested amount. */
  dealBar({ ad, priceE4 }: PricedAd, amount: string | undefined): AdBar | undefined {
    const coin = this.#needs.coin(ad.asset);
    if (amount === undefined || coin === undefined) return undefined;
    const deal = dealOf({ amount }, coin, ad.fiat, priceE4);
    return deal === "AMOUNT_INVALID" ? "MIN" : findDealBar(ad, deal);
  }

  /** Ads the user can take now for any amount: not barred, its maker active, with the requested payment method. */
  ready(offers: readonly Offer[], payment: PaymentKind | undefined): readonly Offer[] {
    const timeMs = this.#needs.now();
    return offers.filter(
      ({ ad, maker, bar }) =>
        bar === undefined &&
        !isAway(maker, this.#needs.seenMs(ad.user_id), timeMs) &&
        (payment === undefined || kindsOf(ad).includes(payment)),
    );
  }

  /** Ads that accept this deal now, best first: price, then completion, then release time. */
  candidates(
    offers: readonly Offer[],
    requested: { readonly amount?: string | undefined; readonly quantity?: string | undefined },
    payment: PaymentKind | undefined,
  ): readonly { readonly offer: Offer; readonly deal: Deal }[] {
    const found = this.ready(offers, payment).flatMap((offer) => {
      const { ad, priceE4 } = offer;
      const coin = this.#needs.coin(ad.asset);
      if (coin === undefined) return [];
      const deal = dealOf(requested, coin, ad.fiat, priceE4);
      return deal === "AMOUNT_INVALID" || findDealBar(ad, deal) !== undefined ? [] : [{ offer, deal }];
    });
    return found.sort(
      (left, right) =>
        (left.offer.ad.side === "sell" ? 1 : -1) * compare(left.offer.priceE4, right.offer.priceE4) ||
        SORTS.completion(left.offer, right.offer) ||
        SORTS.release(left.offer, right.offer),
    );
  }

  describe({ ad, maker, priceE4, bar }: Offer): Ad {
    const scale = this.#needs.coin(ad.asset)?.scale ?? 0;
    const kinds = kindsOf(ad);
    return {
      adId: String(ad.ad_id),
      side: ad.side === "sell" ? "buy" : "sell",
      asset: ad.asset,
      fiat: ad.fiat,
      windowMinutes: ad.window_minutes,
      note: ad.note,
      price: otcPriceText(priceE4),
      premium: bpsText(premiumOf(priceE4, this.indexPrice(ad.asset, ad.fiat) ?? 0n)),
      stock: coinText(ad.stock_units, scale),
      min: centsText(ad.min_cents, ad.fiat),
      max: centsText(ad.max_cents, ad.fiat),
      payments: ad.payments.split(",").map((paymentId, i) => ({ paymentId, kind: kinds[i] ?? "bank" })),
      maker: this.describeMaker(ad.user_id, maker),
      bar: bar ?? null,
    };
  }

  describeMaker(userId: number, maker: MakerInfo): Maker {
    const { name, level, isSimulated, orders, completionBps, releaseMs } = maker;
    return {
      user: String(userId),
      name,
      level,
      isSimulated,
      orders,
      completion: completionBps === undefined ? null : bpsText(completionBps),
      releaseMinutes: releaseMs === undefined ? null : Math.max(1, Math.ceil(releaseMs / 60_000)),
      isAway: isAway(maker, this.#needs.seenMs(userId), this.#needs.now()),
    };
  }

  /** Prices of every coin in every currency, or in one. */
  index(fiat: string | undefined): OtcIndex {
    const fiats = FIATS.filter(({ code }) => fiat === undefined || code === fiat);
    const best = (side: "buy" | "sell", asset: string, code: string): string | null => {
      const [first] = this.#ranked(side, asset, code);
      return first === undefined ? null : otcPriceText(first.priceE4);
    };
    return {
      assets: [...OTC_COINS],
      fiats: FIATS.map(({ code, name, decimals }) => ({ code, name, decimals })),
      prices: fiats.flatMap(({ code }) =>
        OTC_COINS.map((asset) => {
          const indexE6 = this.#needs.indexE6(asset);
          const price = this.indexPrice(asset, code);
          return {
            asset,
            fiat: code,
            index: indexE6 === undefined ? null : trimZeros(decimalText(indexE6, INDEX_SCALE)),
            rate: rateText(this.#needs.rateE8(code)),
            price: price === undefined ? null : otcPriceText(price),
            bestBuy: best("buy", asset, code),
            bestSell: best("sell", asset, code),
          };
        }),
      ),
      isSimulated: this.#needs.hasSimulatedRates(),
      asOfMs: this.#needs.now(),
    };
  }
}

function marketOf(side: string, asset: string, fiat: string): string {
  return `${side}:${asset}:${fiat}`;
}

function compare(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

const SORTS = {
  completion: (left: PricedAd, right: PricedAd) => (right.maker.completionBps ?? 0) - (left.maker.completionBps ?? 0),
  release: (left: PricedAd, right: PricedAd) =>
    (left.maker.releaseMs ?? Number.MAX_SAFE_INTEGER) - (right.maker.releaseMs ?? Number.MAX_SAFE_INTEGER),
  orders: (left: PricedAd, right: PricedAd) => right.maker.orders - left.maker.orders,
} as const;

function kindsOf({ payment_kinds }: AdRow): readonly PaymentKind[] {
  return payment_kinds.split(",") as PaymentKind[];
}
