// Owns a bank in memory for the wallet's tests: coins and prices, books, balances and bills as plain lists, and a store
// of bills that scans every row. Must never be used by the running server.

import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import type { Ack } from "@clockwork/host/engine";
import type { AccountOwner } from "@clockwork/kit/books";
import type { MarketAsset } from "../markets/pair.ts";
import type { BalanceRow } from "../projectors/rows/rows.ts";
import type { CoinNetwork } from "./contract.ts";
import type { WalletNeeds } from "./needs.ts";
import type { WalletCoins } from "./projector.ts";
import { WalletService } from "./service.ts";
import type { BillFilter, BillRecord, WalletStore } from "./store.ts";

const ASSETS: readonly MarketAsset[] = [
  { asset: 1, symbol: "USDT", name: "Tether", scale: 6 },
  { asset: 2, symbol: "BTC", name: "Bitcoin", scale: 8 },
  { asset: 3, symbol: "ODD", name: "Oddcoin", scale: 2 },
  { asset: 4, symbol: "DUST", name: "Dust", scale: 8 },
  { asset: 5, symbol: "CENT", name: "Cent", scale: 8 },
];
/** Millionths of USDT for a whole coin. ODD has no price, and DUST is worth less than a millionth. */
const PRICES = new Map([
  [1, 1_000_000n],
  [2, 65_000_123_457n],
  [4, 0n],
  [5, 3n],
]);

export const COINS: WalletCoins = {
  assets: ASSETS,
  findAsset: (symbol) => ASSETS.find((coin) => coin.symbol === symbol),
  findAssetById: (asset) => ASSETS.find((coin) => coin.asset === asset),
  worthUnits: (asset, amountUnits) => {
    const [price, coin] = [PRICES.get(asset), ASSETS.find((one) => one.asset === asset)];
    return price === undefined || coin === undefined ? undefined : (amountUnits * price) / 10n ** BigInt(coin.scale);
  },
};

type OwnedAccount = AccountOwner & { readonly account: number };

export class Bank {
  readonly accounts: OwnedAccount[] = [];
  readonly bills: BillRecord[] = [];
  readonly commands: Command[] = [];
  /** The positions the tables were awaited for, in order. */
  readonly waited: number[] = [];
  /** The remainder of each gold, by account and asset. */
  readonly gold = new Map<string, readonly bigint[]>();
  /** The core's answer to the next command, instead of success. */
  answers: Ack | undefined;
  /** The command's events, in addition to its completion. */
  events: readonly MachineEvent[] = [];
  /** Books the core cannot open now. */
  readonly unready = new Set<string>();
  readonly #balances = new Map<number, Map<number, BalanceRow>>();

  /** A user's book with its balances, asset by asset: available and frozen units. */
  put(userId: number, book: string, sub = 0, held: Readonly<Record<number, readonly [bigint, bigint]>> = {}): number {
    const account = 100 + this.accounts.length;
    this.accounts.push({ account, userId, book, sub });
    const rows = Object.entries(held).map(
      ([asset, [available_units, frozen_units]]) =>
        [Number(asset), { account, asset: Number(asset), available_units, frozen_units, updated_sequence: 0 }] as const,
    );
    this.#balances.set(account, new Map(rows));
    return account;
  }

  committedUnits = 0n;

  readonly needs: WalletNeeds = {
    coins: COINS,
    submit: async (command) => {
      this.commands.push(command);
      return this.answers ?? { done: true, sequence: 900 + this.commands.length, timeMs: 0, events: this.events };
    },
    openAccount: async (userId, book, sub) => {
      if (this.unready.has(book)) return undefined;
      const found = this.accounts.find((one) => one.userId === userId && one.book === book && one.sub === sub);
      return found?.account ?? this.put(userId, book, sub);
    },
    listAccounts: async (userId) => this.accounts.filter((one) => one.userId === userId),
    openView: async (account) => ({
      balances: this.#balances.get(account) ?? new Map(),
      changedSequence: account * 10,
    }),
    readCommitted: async () => this.committedUnits,
    listGold: async (account, asset) => this.gold.get(`${account}/${asset}`) ?? [],
    networksOf: (symbol) => (symbol === "BTC" ? [{ ...NETWORK, network: "bitcoin" }] : []),
    settled: async (sequence) => {
      this.waited.push(sequence);
    },
  };

  service(store: WalletStore = naiveStore(this.bills)): WalletService {
    return new WalletService({ needs: this.needs, store });
  }
}

const NETWORK: CoinNetwork = {
  network: "",
  name: "Bitcoin",
  state: "open" as const,
  creditBlocks: 2,
  unlockBlocks: 3,
  depositMin: "0.001",
  withdrawMin: "0.002",
  withdrawFee: "0.0001",
};

/** A bill at that position with default fields; `more` overrides them. */
export function billAt(sequence: number, line: number, more: Partial<BillRecord> = {}): BillRecord {
  return {
    sequence,
    line,
    account: 100,
    asset: 1,
    business: "deposit",
    delta_units: 1_000_000n,
    available_units: 3_000_000n,
    frozen_units: 500_000n,
    reference_number: 0,
    reference: null,
    time_ms: 1_000 + sequence,
    settled_ms: null,
    ...more,
  };
}

/** Whether a bill matches the filter, field by field. */
function matches(bill: BillRecord, filter: BillFilter): boolean {
  const { accounts, asset, businesses, search, fromMs, toMs, leastUnits } = filter;
  const size = bill.delta_units < 0n ? -bill.delta_units : bill.delta_units;
  const isNamed = (text: string): boolean =>
    (bill.reference ?? "").toLowerCase().includes(text.toLowerCase()) ||
    (bill.reference_number !== 0 && /^[0-9]+$/.test(text) && BigInt(text) === BigInt(bill.reference_number));
  return (
    accounts.includes(bill.account) &&
    (asset === undefined || bill.asset === asset) &&
    (businesses === undefined || businesses.includes(bill.business)) &&
    (search === undefined || isNamed(search)) &&
    bill.time_ms >= (fromMs ?? 0) &&
    bill.time_ms <= (toMs ?? Number.MAX_SAFE_INTEGER) &&
    size >= (leastUnits?.get(bill.asset) ?? 0n)
  );
}

/** The store over a plain list. */
export function naiveStore(bills: readonly BillRecord[]): WalletStore {
  const newestFirst = (one: BillRecord, other: BillRecord): number =>
    other.sequence - one.sequence || other.line - one.line;
  return {
    listBills: async ({ before, offset, limit, ...filter }) => {
      const [sequence, line] = before ?? [Number.MAX_SAFE_INTEGER, 0];
      const isBefore = (bill: BillRecord): boolean =>
        bill.sequence < sequence || (bill.sequence === sequence && bill.line < line);
      const found = bills.filter((bill) => matches(bill, filter) && isBefore(bill)).sort(newestFirst);
      return found.slice(offset, offset + limit);
    },
    countBills: async (filter, most) => Math.min(most, bills.filter((bill) => matches(bill, filter)).length),
  };
}
