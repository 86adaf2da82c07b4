// Turns one coin into another at a firm price: quoted by walking the book, paid from the reserves in one settlement. Dust is
// swept into USDT the same way. Nothing is minted: what comes was the house's, what leaves becomes the house's.
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { toChainUnits, toLedgerUnits } from "@clockwork/kit/chains/network";
import { formatUnits, parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { ConversionList, ConversionsQuery, Quote, QuoteBody, SmallResult } from "./api.ts";
import type { ConvertCoin, ConvertNeeds } from "./needs.ts";
import {
  afterDustFee,
  afterSpread,
  buyAmount,
  type ConvertRefusal,
  DUST_UNITS,
  QUOTE_MS,
  SCALE,
  sellValue,
  USDT,
} from "./rules.ts";
import type { ConvertStore, QuoteRow } from "./store.ts";

type Told<Value> = Promise<Result<Value, ConvertRefusal>>;
const FORGET_MS = 3_600_000;
const LIST_ROWS = 100;
const SPREAD_TEXT = "0.001";

export class ConvertService {
  readonly #store: ConvertStore;
  readonly #needs: ConvertNeeds;

  constructor({ store, needs }: { readonly store: ConvertStore; readonly needs: ConvertNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async quote(userId: number, { from, to, amount }: QuoteBody): Told<Quote> {
    const [source, target] = [this.#needs.findCoin(from), this.#needs.findCoin(to)];
    if (source === undefined || target === undefined) return refused("UNKNOWN_ASSET");
    if (from === to) return refused("SAME_ASSET");
    const read = parseUnits(amount, source.scale);
    if (!read.done || read.value === 0n) return refused("INVALID_AMOUNT");
    const priced = this.#price(source, target, read.value);
    if (!priced.done) return priced;
    if (priced.value === 0n) return refused("INVALID_AMOUNT");
    const nowMs = this.#needs.now();
    const row: QuoteRow = {
      quote_id: this.#needs.randomId(),
      user_id: userId,
      from_asset: from,
      to_asset: to,
      from_units: read.value,
      to_units: priced.value,
      state: "OPEN",
      expires_ms: nowMs + QUOTE_MS,
    };
    await this.#store.forget(nowMs - FORGET_MS);
    await this.#store.add(row);
    return done({ ...this.#describe(row, source, target), spread: SPREAD_TEXT, expiresAtMs: row.expires_ms });
  }

  /** Through USDT, both ways at the book's own prices. */
  #price(source: ConvertCoin, target: ConvertCoin, amountUnits: bigint): Result<bigint, ConvertRefusal> {
    const amount = toChainUnits(amountUnits, SCALE, source.scale);
    let value: bigint | undefined = amount;
    if (source.symbol !== USDT) {
      const book = this.#needs.readBook(source.symbol);
      if (book === undefined) return refused("NOT_TRADED");
      value = sellValue(amount, book.bids);
    }
    if (value === undefined) return refused("BOOK_TOO_THIN");
    if (target.symbol !== USDT) {
      const book = this.#needs.readBook(target.symbol);
      if (book === undefined) return refused("NOT_TRADED");
      value = buyAmount(value, book.asks);
    }
    if (value === undefined) return refused("BOOK_TOO_THIN");
    return done(toLedgerUnits(afterSpread(value), SCALE, target.scale));
  }

  /** Once; asked again it is answered with the same. */
  async accept(userId: number, quoteId: string): Told<Omit<Quote, "spread" | "expiresAtMs">> {
    const row = await this.#store.find(quoteId);
    if (row === undefined || row.user_id !== userId) return refused("QUOTE_UNKNOWN");
    const [source, target] = [this.#needs.findCoin(row.from_asset), this.#needs.findCoin(row.to_asset)];
    if (source === undefined || target === undefined) return refused("UNKNOWN_ASSET");
    if (row.state === "DONE") return done(this.#describe(row, source, target));
    if (row.state === "OPEN") {
      if (this.#needs.now() >= row.expires_ms) return refused("QUOTE_EXPIRED");
      await this.#store.step(quoteId, "OPEN", "TAKEN");
    }
    const paid = await this.#settle(userId, source, row.from_units, target, row.to_units, `v:${quoteId}`);
    if (!paid.done) {
      if (paid.code !== "LEDGER_AWAY") await this.#store.step(quoteId, "TAKEN", "OPEN");
      return paid;
    }
    await this.#store.step(quoteId, "TAKEN", "DONE");
    return done(this.#describe(row, source, target));
  }

  async list(userId: number, { quoteId, from, to, limit = LIST_ROWS }: ConversionsQuery): Promise<ConversionList> {
    const endOf = (timeMs: number | undefined) => (timeMs === undefined ? undefined : timeMs + QUOTE_MS);
    const rows = await this.#store.listOf(userId, { quoteId, fromMs: endOf(from), toMs: endOf(to), limit });
    return {
      conversions: rows.flatMap((row) => {
        const [source, target] = [this.#needs.findCoin(row.from_asset), this.#needs.findCoin(row.to_asset)];
        if (source === undefined || target === undefined) return [];
        const told = this.#describe(row, source, target);
        return [{ ...told, isDone: row.state === "DONE", timeMs: row.expires_ms - QUOTE_MS }];
      }),
    };
  }

  /** What was taken while the ledger could not answer: nobody may wait and see how the price goes. */
  async resume(): Promise<void> {
    for (const row of await this.#store.listTaken()) await this.accept(row.user_id, row.quote_id);
  }

  /** Every coin of little worth, each in a settlement of its own named by the caller's id. */
  async convertSmall(userId: number, assets: readonly string[] | undefined, clientId: string): Told<SmallResult> {
    const usdt = this.#needs.findCoin(USDT);
    const free = await this.#needs.readFree(userId);
    if (usdt === undefined) return refused("UNKNOWN_ASSET");
    const converted: SmallResult["converted"] = [];
    let sum = 0n;
    for (const symbol of assets ?? [...free.keys()]) {
      const coin = this.#needs.findCoin(symbol);
      const amount = free.get(symbol) ?? 0n;
      const worth = coin === undefined ? undefined : this.#needs.worthUnits(coin.asset, amount);
      const isSmall = symbol !== USDT && amount > 0n && worth !== undefined && worth < DUST_UNITS;
      if (!isSmall || coin === undefined) continue;
      const receives = afterDustFee(worth);
      if (receives === 0n) continue;
      const reference = `s:${userId.toString(36)}:${clientId}:${symbol}`.slice(0, 36);
      const paid = await this.#settle(userId, coin, amount, usdt, receives, reference);
      if (!paid.done) continue;
      sum += receives;
      const text = {
        amount: formatUnits(units(amount), coin.scale),
        receives: formatUnits(units(receives), usdt.scale),
      };
      converted.push({ asset: symbol, ...text });
    }
    return converted.length === 0
      ? refused("NOTHING_SMALL")
      : done({ receives: formatUnits(units(sum), usdt.scale), converted });
  }

  async #settle(
    userId: number,
    source: ConvertCoin,
    fromUnits: bigint,
    target: ConvertCoin,
    toUnits: bigint,
    reference: string,
  ): Told<null> {
    const account = await this.#needs.openAccount(userId);
    if (account === undefined) return refused("LEDGER_AWAY");
    const gives = { from: account, to: RESERVES_ACCOUNT, asset: source.asset, units: toCoreUnits(units(fromUnits)) };
    const takes = { from: RESERVES_ACCOUNT, to: account, asset: target.asset, units: toCoreUnits(units(toUnits)) };
    const legs = [gives, takes].map((leg) => ({ ...leg, business: "convert" as const }));
    const settled = await this.#needs.submit({ kind: "settle", reference, legs });
    if (settled.done) return done(null);
    if (settled.code !== "INSUFFICIENT_BALANCE") return refused("LEDGER_AWAY");
    const held = (await this.#needs.readFree(userId)).get(source.symbol) ?? 0n;
    return refused(held < fromUnits ? "INSUFFICIENT_BALANCE" : "HOUSE_SHORT");
  }

  #describe(row: QuoteRow, source: ConvertCoin, target: ConvertCoin) {
    return {
      quoteId: row.quote_id,
      from: row.from_asset,
      to: row.to_asset,
      amount: formatUnits(units(row.from_units), source.scale),
      receives: formatUnits(units(row.to_units), target.scale),
    };
  }
}
