// Use cases of the wallet: the balances of the books, transfers between them, and their bills. Transfers are the core's
// own, idempotent by the caller's id. Stores no balance.

import type { Ack } from "@clockwork/host/engine";
import { answer, type Outcome, refuseAs } from "@clockwork/host/route";
import { assert } from "@clockwork/kit/assert";
import { type AccountOwner, nameBook, WALLET_TYPES, type WalletType, walletTypeOf } from "@clockwork/kit/books";
import { parseDecimal } from "@clockwork/kit/decimal";
import { referenceOf } from "@clockwork/kit/intent/reference";
import { formatUnits, parseUnits, toCoreUnits, UNITS_MAX, units } from "@clockwork/kit/money";
import { cutPage, writePairCursor } from "@clockwork/kit/pages/page";
import { type Uses, usesOf } from "@clockwork/kit/wallet/equity";
import { WALLET_NAMES } from "@clockwork/kit/wallet/names";
import type { MarketAsset } from "../markets/pair.ts";
import type { BalanceRow } from "../projectors/rows/rows.ts";
import {
  BILLS_COUNTED_MAX,
  type Bill,
  type BillPage,
  type Coin,
  type MovableType,
  type TransferPreview,
  type WalletAccount,
  type WalletAccounts,
  type WalletAsset,
} from "./contract.ts";
import type { WalletNeeds } from "./needs.ts";
import type { WalletCoins } from "./projector.ts";
import { REFUSALS, type WalletRefusal } from "./refusals.ts";
import type { BillRecord, WalletStore } from "./store.ts";

export interface TransferOrder {
  readonly asset: string;
  readonly amount: string;
  readonly from: MovableType;
  readonly to: MovableType;
  readonly sub?: string;
  readonly clientId: string;
}

type Wanted = Omit<TransferOrder, "clientId">;

export interface BillsQuery {
  readonly walletType?: WalletType;
  readonly asset?: string;
  readonly business?: string;
  readonly search?: string;
  readonly from?: number;
  readonly to?: number;
  readonly least?: string;
  readonly before?: string;
  readonly page?: number;
  readonly limit?: number;
}

/** A book that is a wallet, as the wire names it. */
type WalletName = Pick<Bill, "walletType" | "sub">;

const WORTH_SCALE = 6;
const MONEY = "USDT";
/** More than any account holds or any change moves. */
const BEYOND_ALL_UNITS = BigInt(UNITS_MAX) + 1n;
const PAGE = 50;
/** Every user has these from the beginning. */
const FIRST_TYPES: readonly WalletType[] = ["1", "2"];

const refuse = (code: WalletRefusal, text?: string) =>
  refuseAs(code, REFUSALS[code] ?? [422, "The exchange rejected this transfer."], text);

export class WalletService {
  readonly #needs: WalletNeeds;
  readonly #store: WalletStore;

  constructor({ needs, store }: { readonly needs: WalletNeeds; readonly store: WalletStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  listCoins(): Coin[] {
    const { coins } = this.#needs;
    return coins.assets.map(({ asset, symbol, name, scale }) => {
      const worth = coins.worthUnits(asset, 10n ** BigInt(scale));
      const priceUsdt = worth === undefined ? null : worthText(worth);
      return { asset: symbol, name, decimals: scale, priceUsdt, networks: this.#needs.networksOf(symbol) };
    });
  }

  async readAccounts(userId: number, types: readonly WalletType[]): Promise<Outcome<WalletAccounts, WalletRefusal>> {
    const requested = new Set(types);
    for (const type of FIRST_TYPES) {
      if (requested.has(type) && (await this.#needs.openAccount(userId, WALLET_TYPES[type], 0)) === undefined) {
        return refuse("ACCOUNT_NOT_READY");
      }
    }
    const owned = await this.#needs.listAccounts(userId);
    const committedUnits = await this.#needs.readCommitted(userId);
    const equity = new Equity(this.#needs.coins, committedUnits);
    const held = new Map<number, readonly BalanceRow[]>();
    for (const { account, book } of owned) {
      const type = walletTypeOf(book);
      if (type === undefined) continue;
      const { balances } = await this.#needs.openView(account);
      const rows = [...balances.values()].filter((row) => row.available_units + row.frozen_units !== 0n);
      held.set(account, rows);
      for (const row of rows) equity.add(type, row);
    }
    const accounts: WalletAccount[] = [];
    let total = 0n;
    for (const walletType of requested) {
      const own = owned.filter(({ book }) => walletTypeOf(book) === walletType);
      for (const owner of own) {
        const rows = held.get(owner.account) ?? [];
        const sum = rows.reduce((worth, row) => worth + (this.#worthOf(row) ?? 0n), 0n);
        total += sum;
        const { sub } = this.#nameBook(owner);
        const assets = rows.flatMap((row) => describeAsset(this.#needs.coins, row) ?? []);
        accounts.push({ walletType, sub, name: WALLET_NAMES[walletType], totalUsdt: worthText(sum), assets });
      }
      if (own.length === 0) {
        accounts.push({ walletType, sub: null, name: WALLET_NAMES[walletType], totalUsdt: worthText(0n), assets: [] });
      }
    }
    return answer({
      totalUsdt: worthText(total),
      ...equity.describe(),
      committedUsdt: worthText(committedUnits),
      accounts,
    });
  }

  #worthOf({ asset, available_units, frozen_units }: BalanceRow): bigint | undefined {
    return this.#needs.coins.worthUnits(asset, available_units + frozen_units);
  }

  #nameBook(owner: AccountOwner) {
    return nameBook(owner, (asset) => this.#needs.coins.findAssetById(asset)?.symbol);
  }

  /** The parsed request, or its refusal. */
  #read(order: Wanted): Outcome<{ readonly coin: MarketAsset; readonly amountUnits: bigint }, WalletRefusal> {
    if (order.from === order.to) return refuse("SAME_WALLET");
    const coin = this.#needs.coins.findAsset(order.asset);
    if (coin === undefined) return refuse("UNKNOWN_ASSET");
    if (order.sub !== undefined) {
      if (order.from !== "4" && order.to !== "4") return refuse("INVALID_SUB");
      if (order.sub !== order.asset) {
        return refuse("INVALID_SUB", `The ${order.sub} account can hold only ${order.sub}.`);
      }
    }
    const amount = parseUnits(order.amount, coin.scale);
    if (!amount.done || amount.value === 0n) {
      const message = `amount must be above zero, with at most ${coin.scale} decimals.`;
      return refuse("INVALID_AMOUNT", message);
    }
    return answer({ coin, amountUnits: amount.value as bigint });
  }

  /** The share of own funds that leaves is the share of the gold that is voided, each grant rounded down. */
  async previewTransfer(userId: number, order: Wanted): Promise<Outcome<TransferPreview, WalletRefusal>> {
    const read = this.#read(order);
    if (!read.ok) return read;
    const { coin, amountUnits } = read.data;
    const book = WALLET_TYPES[order.from];
    const sub = book === "inverse" ? coin.asset : 0;
    const owned = (await this.#needs.listAccounts(userId)).find((one) => one.book === book && one.sub === sub);
    let [goldUnits, voidedUnits] = [0n, 0n];
    if (owned !== undefined) {
      const { balances } = await this.#needs.openView(owned.account);
      const ownUnits = balances.get(coin.asset)?.available_units ?? 0n;
      for (const leftUnits of await this.#needs.listGold(owned.account, coin.asset)) {
        goldUnits += leftUnits;
        voidedUnits += amountUnits >= ownUnits ? leftUnits : (leftUnits * amountUnits) / ownUnits;
      }
    }
    const text = (value: bigint): string => formatUnits(units(value), coin.scale);
    return answer({ asset: coin.symbol, gold: text(goldUnits), goldVoided: text(voidedUnits) });
  }

  async transfer(
    userId: number,
    order: TransferOrder,
  ): Promise<Outcome<{ clientId: string; sequence: number }, WalletRefusal>> {
    const { clientId } = order;
    const read = this.#read(order);
    if (!read.ok) return read;
    const { coin, amountUnits } = read.data;
    const open = (type: MovableType) => {
      const book = WALLET_TYPES[type];
      return this.#needs.openAccount(userId, book, book === "inverse" ? coin.asset : 0);
    };
    const [account, to] = await Promise.all([open(order.from), open(order.to)]);
    if (account === undefined || to === undefined) return refuse("ACCOUNT_NOT_READY");
    const ack = await this.#needs.submit({
      kind: "transfer",
      account,
      to,
      asset: coin.asset,
      units: toCoreUnits(units(amountUnits)),
      // One namespace for all money: the user's number separates callers' ids.
      reference: referenceOf(`t:${userId.toString(36)}:`, clientId),
    });
    if (!ack.done) return this.#refuseTransfer(ack, coin, account);
    const repeated = ack.events.find((event) => event.kind === "repeated");
    return answer({ clientId, sequence: repeated?.firstSequence ?? ack.sequence });
  }

  async #refuseTransfer(
    ack: Extract<Ack, { readonly done: false }>,
    coin: MarketAsset,
    account: number,
  ): Promise<Outcome<never, WalletRefusal>> {
    const { code } = ack;
    if (code !== "INSUFFICIENT_BALANCE") return refuse(code);
    const view = await this.#needs.openView(account);
    const available = view.balances.get(coin.asset)?.available_units ?? 0n;
    return refuse(code, `Not enough ${coin.symbol}: ${formatUnits(units(available), coin.scale)} available.`);
  }

  async listBills(userId: number, query: BillsQuery): Promise<Outcome<BillPage, WalletRefusal>> {
    const books = new Map<number, WalletName>();
    for (const owner of await this.#needs.listAccounts(userId)) {
      const { walletType, sub } = this.#nameBook(owner);
      if (walletType === null || (query.walletType ?? walletType) !== walletType) continue;
      books.set(owner.account, { walletType, sub });
      await this.#needs.settled((await this.#needs.openView(owner.account)).changedSequence);
    }
    const coin = query.asset === undefined ? undefined : this.#needs.coins.findAsset(query.asset);
    if (books.size === 0 || (query.asset !== undefined && coin === undefined)) {
      return answer({ bills: [], next: null, total: query.page === undefined ? null : 0 });
    }
    const { page } = query;
    const limit = query.limit ?? PAGE;
    const offset = page === undefined ? 0 : (page - 1) * limit;
    const filter = {
      accounts: [...books.keys()],
      asset: coin?.asset,
      businesses: query.business?.split(","),
      search: query.search,
      fromMs: query.from,
      toMs: query.to,
      leastUnits: query.least === undefined ? undefined : this.#leastUnits(query.least),
    };
    const before = page === undefined ? readPlace(query.before) : undefined;
    const isBeyond = offset >= BILLS_COUNTED_MAX;
    const rows = isBeyond ? [] : await this.#store.listBills({ ...filter, before, offset, limit: limit + 1 });
    const { shown, end } = cutPage(rows, limit);
    return answer({
      bills: shown.flatMap((row) => this.#describeBill(row, books.get(row.account)) ?? []),
      next: end === undefined ? null : writePairCursor(end.sequence, end.line),
      total: page === undefined ? null : await this.#store.countBills(filter, BILLS_COUNTED_MAX),
    });
  }

  /**
   * For each coin with a price, the fewest units worth the amount: one unit less is worth less. The result is capped to
   * a number the tables can compare: no change is larger than what the core can count.
   */
  #leastUnits(least: string): ReadonlyMap<number, bigint> {
    const { coins } = this.#needs;
    const read = parseDecimal(least);
    assert(read.ok, "WALLET-1", `${least} passed the schema and is no amount`);
    const { units: wanted, scale: decimals } = read.value;
    const found = new Map<number, bigint>();
    for (const { asset, scale } of coins.assets) {
      const worth = coins.worthUnits(asset, 10n ** BigInt(scale));
      if (worth === undefined || worth === 0n) continue;
      const [top, bottom] = [wanted * 10n ** BigInt(scale + WORTH_SCALE), worth * 10n ** BigInt(decimals)];
      const fewest = (top + bottom - 1n) / bottom;
      found.set(asset, fewest < BEYOND_ALL_UNITS ? fewest : BEYOND_ALL_UNITS);
    }
    return found;
  }

  #describeBill(row: BillRecord, book: WalletName | undefined): Bill | undefined {
    const coin = this.#needs.coins.findAssetById(row.asset);
    if (coin === undefined || book === undefined) return undefined;
    const number = row.reference_number === 0 ? null : String(row.reference_number);
    return {
      id: `${row.sequence}-${row.line}`,
      ...book,
      asset: coin.symbol,
      business: row.business,
      change: formatUnits(units(row.delta_units), coin.scale),
      balance: formatUnits(units(row.available_units + row.frozen_units), coin.scale),
      reference: row.reference ?? number,
      timeMs: row.settled_ms ?? row.time_ms,
    };
  }
}

/** A bill by its id, or all of a command's by its sequence: no line comes before the first. */
function readPlace(before: string | undefined): readonly [sequence: number, line: number] | undefined {
  if (before === undefined) return undefined;
  const [sequence, line = 0] = before.split("-").map(Number) as [number, number?];
  return [sequence, line];
}

/** Undefined for an unlisted asset. */
export function describeAsset(coins: WalletCoins, row: BalanceRow): WalletAsset | undefined {
  const coin = coins.findAssetById(row.asset);
  if (coin === undefined) return undefined;
  const worth = coins.worthUnits(row.asset, row.available_units + row.frozen_units);
  return {
    asset: coin.symbol,
    name: coin.name,
    available: formatUnits(units(row.available_units), coin.scale),
    frozen: formatUnits(units(row.frozen_units), coin.scale),
    total: formatUnits(units(row.available_units + row.frozen_units), coin.scale),
    worthUsdt: worth === undefined ? null : worthText(worth),
  };
}

/** Every coin of a user over all wallets, by the use of its money. */
class Equity {
  readonly #coins: WalletCoins;
  readonly #uses = new Map<number, Uses>();

  constructor(coins: WalletCoins, committedUnits: bigint) {
    this.#coins = coins;
    const money = coins.findAsset(MONEY);
    if (money === undefined || committedUnits === 0n) return;
    this.#uses.set(money.asset, { availableUnits: 0n, reservedUnits: committedUnits, investedUnits: 0n });
  }

  add(walletType: WalletType, { asset, available_units, frozen_units }: BalanceRow): void {
    const uses = usesOf(walletType, available_units, frozen_units);
    const known = this.#uses.get(asset);
    this.#uses.set(asset, {
      availableUnits: uses.availableUnits + (known?.availableUnits ?? 0n),
      reservedUnits: uses.reservedUnits + (known?.reservedUnits ?? 0n),
      investedUnits: uses.investedUnits + (known?.investedUnits ?? 0n),
    });
  }

  describe(): Pick<WalletAccounts, "allUsdt" | "availableUsdt" | "reservedUsdt" | "investedUsdt" | "coins"> {
    const sums = { all: 0n, available: 0n, reserved: 0n };
    const rows = [...this.#uses].flatMap(([asset, { availableUnits, reservedUnits, investedUnits }]) => {
      const coin = this.#coins.findAssetById(asset);
      const total = availableUnits + reservedUnits + investedUnits;
      const worth = this.#coins.worthUnits(asset, total);
      sums.all += worth ?? 0n;
      sums.available += this.#coins.worthUnits(asset, availableUnits) ?? 0n;
      sums.reserved += this.#coins.worthUnits(asset, reservedUnits) ?? 0n;
      if (coin === undefined) return [];
      const text = (amount: bigint): string => formatUnits(units(amount), coin.scale);
      const [available, reserved, invested] = [text(availableUnits), text(reservedUnits), text(investedUnits)];
      const worthUsdt = worth === undefined ? null : worthText(worth);
      return [
        {
          worth,
          coin: { asset: coin.symbol, name: coin.name, total: text(total), available, reserved, invested, worthUsdt },
        },
      ];
    });
    rows.sort((left, right) => ((right.worth ?? -1n) > (left.worth ?? -1n) ? 1 : -1));
    return {
      allUsdt: worthText(sums.all),
      availableUsdt: worthText(sums.available),
      reservedUsdt: worthText(sums.reserved),
      // The rounding remainder is added here, so that the parts add up.
      investedUsdt: worthText(sums.all - sums.available - sums.reserved),
      coins: rows.map(({ coin }) => coin),
    };
  }
}

function worthText(worthUnits: bigint): string {
  return formatUnits(units(worthUnits), WORTH_SCALE);
}
