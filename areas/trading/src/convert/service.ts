// Turns one coin into another at a firm price: quoted by walking the order book, paid from the reserves in one
// settlement. Dust is swept into USDT the same way. Nothing is minted: both sides move between the user and the
// exchange.

import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { toChainUnits, toLedgerUnits } from "@clockwork/kit/chains/network";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import { referenceOf } from "@clockwork/kit/intent/reference";
import { formatUnits, parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { ConversionList, ConversionsQuery, Quote, QuoteBody, SmallResult } from "./contract.ts";
import type { ConvertNeeds } from "./needs.ts";
import type { ConvertRefusal } from "./refusals.ts";
import {
  afterDustFee,
  afterSpread,
  boundedAmount,
  boundedValue,
  DUST_UNITS,
  hasMoved,
  QUOTE_MS,
  SCALE,
  USDT,
  USDT_SCALE,
} from "./rules.ts";
import type { ConvertStore, QuoteRow, SmallRow } from "./store.ts";

type Accepted = Omit<Quote, "spread" | "expiresAtMs">;
type Outcome<Value> = Promise<Result<Value, ConvertRefusal>>;
const PRUNE_MS = 3_600_000;
const LIST_ROWS = 100;
const SPREAD_TEXT = "0.001";

export class ConvertService {
  readonly #store: ConvertStore;
  readonly #needs: ConvertNeeds;
  /** Quotes with a ledger command in flight: no other caller may reopen one before its answer arrives. */
  readonly #underWay = new Map<string, Outcome<Accepted>>();

  constructor({ store, needs }: { readonly store: ConvertStore; readonly needs: ConvertNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async quote(userId: number, { from, to, amount }: QuoteBody): Outcome<Quote> {
    const [source, target] = [this.#needs.findCoin(from), this.#needs.findCoin(to)];
    if (source === undefined || target === undefined) return refused("UNKNOWN_ASSET");
    if (from === to) return refused("SAME_ASSET");
    const read = parseUnits(amount, source.scale);
    if (!read.done || read.value === 0n) return refused("INVALID_AMOUNT");
    const priced = await this.#price(userId, source, target, read.value);
    if (!priced.done) return priced;
    const { receives, worth } = priced.value;
    if (receives === 0n) return refused("INVALID_AMOUNT");
    const nowMs = this.#needs.now();
    const row: QuoteRow = {
      quote_id: this.#needs.randomId(),
      user_id: userId,
      from_asset: from,
      to_asset: to,
      from_units: read.value,
      to_units: receives,
      worth_units: worth,
      state: "OPEN",
      expires_ms: nowMs + QUOTE_MS,
    };
    await this.#store.remove(nowMs - PRUNE_MS);
    const refusal = await this.#store.add(row, nowMs);
    if (refusal !== undefined) return refused(refusal);
    return done({ ...this.#describe(row, source, target), spread: SPREAD_TEXT, expiresAtMs: row.expires_ms });
  }

  /**
   * Through USDT, both legs at the worse of the book's price and the fair one for the user, who may have moved the
   * book.
   */
  async #price(
    userId: number,
    source: LedgerCoin,
    target: LedgerCoin,
    amountUnits: bigint,
  ): Promise<Result<{ readonly receives: bigint; readonly worth: bigint }, ConvertRefusal>> {
    const amount = toChainUnits(amountUnits, SCALE, source.scale);
    const [given, wanted] = [await this.#readSide(userId, source), await this.#readSide(userId, target)];
    if (given === undefined || wanted === undefined) return refused("NOT_TRADED");
    const value = given === "usdt" ? amount : boundedValue(amount, given.book.bids, given.fairPrice);
    if (value === undefined) return refused("BOOK_TOO_THIN");
    const brought = wanted === "usdt" ? value : boundedAmount(value, wanted.book.asks, wanted.fairPrice);
    if (brought === undefined) return refused("BOOK_TOO_THIN");
    const worth = toLedgerUnits(value, SCALE, USDT_SCALE);
    return done({ receives: toLedgerUnits(afterSpread(brought), SCALE, target.scale), worth });
  }

  async #readSide(userId: number, coin: LedgerCoin) {
    if (coin.symbol === USDT) return "usdt" as const;
    // Of one coin, with as many decimals as the walk has.
    const fairPrice = this.#needs.worthUnits(coin.asset, 10n ** BigInt(coin.scale + SCALE - USDT_SCALE));
    const book = await this.#needs.readBook(userId, coin.symbol);
    return book === undefined || fairPrice === undefined || fairPrice === 0n ? undefined : { book, fairPrice };
  }

  /** Once: a repeat gets the same answer, and a concurrent caller waits for it. */
  async accept(userId: number, quoteId: string): Outcome<Accepted> {
    const row = await this.#store.find(quoteId);
    if (row === undefined || row.user_id !== userId) return refused("QUOTE_UNKNOWN");
    const under = this.#underWay.get(quoteId);
    if (under !== undefined) return under;
    const started = this.#accept(row).finally(() => this.#underWay.delete(quoteId));
    this.#underWay.set(quoteId, started);
    return started;
  }

  async #accept(row: QuoteRow): Outcome<Accepted> {
    const { quote_id: quoteId, user_id: userId } = row;
    const [source, target] = [this.#needs.findCoin(row.from_asset), this.#needs.findCoin(row.to_asset)];
    if (source === undefined || target === undefined) return refused("UNKNOWN_ASSET");
    if (row.state === "DONE") return done(this.#describe(row, source, target));
    if (row.state === "OPEN") {
      const nowMs = this.#needs.now();
      if (nowMs >= row.expires_ms) return refused("QUOTE_EXPIRED");
      // The liquidity in the book at quote time must still be there.
      const priced = await this.#price(userId, source, target, row.from_units);
      if (!priced.done) return priced;
      if (hasMoved(row.to_units, priced.value.receives)) return refused("PRICE_MOVED");
      const taken = await this.#store.take(row, nowMs);
      if (taken === "gone") {
        // Accepted by another caller since it was read, or gone.
        const now = await this.#store.find(quoteId);
        return now === undefined ? refused("QUOTE_UNKNOWN") : this.#accept(now);
      }
      if (taken !== undefined) return refused(taken);
    }
    const paid = await this.#settle(userId, source, row.from_units, target, row.to_units, `v:${quoteId}`);
    if (!paid.done) {
      if (paid.code !== "LEDGER_AWAY") await this.#store.giveBack(row);
      return paid;
    }
    // The ledger's result decides, whatever a concurrent caller was answered and wrote.
    if (!(await this.#store.step(quoteId, "TAKEN", "DONE"))) await this.#store.step(quoteId, "OPEN", "DONE");
    return done(this.#describe(row, source, target));
  }

  async list(
    userId: number,
    { quoteId, from, to, limit = LIST_ROWS, order }: ConversionsQuery,
  ): Promise<ConversionList> {
    const endOf = (timeMs: number | undefined) => (timeMs === undefined ? undefined : timeMs + QUOTE_MS);
    const rows = await this.#store.listOf(userId, { quoteId, fromMs: endOf(from), toMs: endOf(to), limit, order });
    return {
      conversions: rows.flatMap((row) => {
        const [source, target] = [this.#needs.findCoin(row.from_asset), this.#needs.findCoin(row.to_asset)];
        if (source === undefined || target === undefined) return [];
        const answer = this.#describe(row, source, target);
        return [{ ...answer, isDone: row.state === "DONE", timeMs: row.expires_ms - QUOTE_MS }];
      }),
    };
  }

  /**
   * Finishes quotes accepted while the ledger could not answer, so that no user can wait and see how the price moves.
   */
  async resume(): Promise<void> {
    for (const row of await this.#store.listTaken()) await this.accept(row.user_id, row.quote_id);
    for (const row of await this.#store.listTakenSmall()) await this.#finishSmall(row);
  }

  /**
   * Every coin of little value, each in a settlement of its own. The selection is decided and stored once per id of the
   * caller: a repeat converts nothing more and returns the same answer.
   */
  async convertSmall(userId: number, assets: readonly string[] | undefined, clientId: string): Outcome<SmallResult> {
    const usdt = this.#needs.findCoin(USDT);
    if (usdt === undefined) return refused("UNKNOWN_ASSET");
    let rows = await this.#store.listSmall(userId, clientId);
    if (rows === undefined) {
      const planned = await this.#planSmall(userId, assets, clientId);
      if (planned.length === 0) return refused("NOTHING_SMALL");
      await this.#store.addSmall(userId, clientId, planned, this.#needs.now());
      rows = (await this.#store.listSmall(userId, clientId)) ?? [];
    }
    const converted: SmallResult["converted"] = [];
    let sum = 0n;
    for (const row of rows) {
      const state = row.state === "TAKEN" ? await this.#finishSmall(row) : row.state;
      if (state === "TAKEN") return refused("LEDGER_AWAY");
      const coin = this.#needs.findCoin(row.asset);
      if (state === "REFUSED" || coin === undefined) continue;
      sum += row.to_units;
      const amount = formatUnits(units(row.from_units), coin.scale);
      converted.push({ asset: row.asset, amount, receives: formatUnits(units(row.to_units), usdt.scale) });
    }
    return converted.length === 0
      ? refused("NOTHING_SMALL")
      : done({ receives: formatUnits(units(sum), usdt.scale), converted });
  }

  async #planSmall(userId: number, assets: readonly string[] | undefined, clientId: string): Promise<SmallRow[]> {
    const free = await this.#needs.readFree(userId);
    return (assets ?? [...free.keys()]).flatMap((asset): SmallRow[] => {
      const coin = this.#needs.findCoin(asset);
      const amount = free.get(asset) ?? 0n;
      const worth = coin === undefined ? undefined : this.#needs.worthUnits(coin.asset, amount);
      if (asset === USDT || amount <= 0n || worth === undefined || worth >= DUST_UNITS) return [];
      const receives = afterDustFee(worth);
      if (receives === 0n) return [];
      const ids = { user_id: userId, client_id: clientId, asset };
      return [{ ...ids, from_units: amount, to_units: receives, state: "TAKEN" }];
    });
  }

  async #finishSmall(row: SmallRow): Promise<SmallRow["state"]> {
    const [coin, usdt] = [this.#needs.findCoin(row.asset), this.#needs.findCoin(USDT)];
    if (coin === undefined || usdt === undefined) return "TAKEN";
    // The coin by its number: never truncated, whatever its name and the caller's id are.
    const reference = referenceOf(`s:${row.user_id.toString(36)}:`, row.client_id, `:${coin.asset}`);
    const paid = await this.#settle(row.user_id, coin, row.from_units, usdt, row.to_units, reference);
    if (!paid.done && paid.code === "LEDGER_AWAY") return "TAKEN";
    const state = paid.done ? "DONE" : "REFUSED";
    await this.#store.endSmall(row, state);
    return state;
  }

  async #settle(
    userId: number,
    source: LedgerCoin,
    fromUnits: bigint,
    target: LedgerCoin,
    toUnits: bigint,
    reference: string,
  ): Outcome<null> {
    const account = await this.#needs.openAccount(userId);
    if (account === undefined) return refused("LEDGER_AWAY");
    const gives = { from: account, to: RESERVES_ACCOUNT, asset: source.asset, units: toCoreUnits(units(fromUnits)) };
    const takes = { from: RESERVES_ACCOUNT, to: account, asset: target.asset, units: toCoreUnits(units(toUnits)) };
    const legs = [gives, takes].map((leg) => ({ ...leg, business: "convert" as const }));
    const settled = await this.#needs.submit({ kind: "settle", reference, legs });
    if (settled.done) return done(null);
    if (settled.code === "IN_DEBT") return refused("IN_DEBT");
    if (settled.code !== "INSUFFICIENT_BALANCE") return refused("LEDGER_AWAY");
    const held = (await this.#needs.readFree(userId)).get(source.symbol) ?? 0n;
    return refused(held < fromUnits ? "INSUFFICIENT_BALANCE" : "HOUSE_SHORT");
  }

  #describe(row: QuoteRow, source: LedgerCoin, target: LedgerCoin) {
    return {
      quoteId: row.quote_id,
      from: row.from_asset,
      to: row.to_asset,
      amount: formatUnits(units(row.from_units), source.scale),
      receives: formatUnits(units(row.to_units), target.scale),
    };
  }
}
