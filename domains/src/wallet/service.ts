// Use cases of the wallet: what the books hold, moving between them, and the bills behind it. Moves are the core's own
// transfers, idempotent by the caller's id. Keeps no balance of its own.
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { answer, type Outcome, refuse } from "@clockwork/kit/route";
import {
  type Bill,
  type BillPage,
  type Coin,
  WALLET_TYPES,
  type WalletAccount,
  type WalletAccounts,
  type WalletAsset,
  type WalletType,
} from "./api.ts";
import type { WalletAnswer, WalletBalance, WalletCoin, WalletNeeds } from "./needs.ts";
import type { BillRecord, WalletStore } from "./store.ts";

export interface TransferOrder {
  readonly asset: string;
  readonly amount: string;
  readonly from: WalletType;
  readonly to: WalletType;
  readonly clientId: string;
}

export interface BillsQuery {
  readonly walletType?: WalletType;
  readonly asset?: string;
  readonly business?: string;
  readonly from?: number;
  readonly to?: number;
  readonly before?: string;
  readonly limit?: number;
}

const WORTH_SCALE = 6;
const PAGE = 50;
const NAMES = { spot: "Spot", funding: "Funding" } as const;

const wrong = (code: string, field: string, message: string, status = 400): Outcome<never> =>
  refuse({ code, status, message, fields: { [`body.${field}`]: message } });
const NOT_READY = refuse({
  code: "ACCOUNT_NOT_READY",
  status: 503,
  message: "The account is being opened; try again in a moment.",
  retryAfterSeconds: 2,
});

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
      return { asset: symbol, name, decimals: scale, priceUsdt: worth === undefined ? null : worthText(worth) };
    });
  }

  async readAccounts(userId: number, types: readonly WalletType[]): Promise<Outcome<WalletAccounts>> {
    const accounts: WalletAccount[] = [];
    let total = 0n;
    for (const walletType of new Set(types)) {
      const account = await this.#needs.findAccount(userId, WALLET_TYPES[walletType]);
      if (account === undefined) return NOT_READY;
      const { balances } = await this.#needs.openView(account);
      let sum = 0n;
      const assets: WalletAsset[] = [];
      for (const row of balances.values()) {
        const coin = this.#needs.coins.findAssetById(row.asset);
        if (coin === undefined || row.available_units + row.frozen_units === 0n) continue;
        const worth = this.#needs.coins.worthUnits(row.asset, row.available_units + row.frozen_units);
        sum += worth ?? 0n;
        assets.push(describeAsset(coin, row, worth));
      }
      total += sum;
      accounts.push({ walletType, name: NAMES[WALLET_TYPES[walletType]], totalUsdt: worthText(sum), assets });
    }
    return answer({ totalUsdt: worthText(total), accounts });
  }

  async transfer(userId: number, order: TransferOrder): Promise<Outcome<{ clientId: string; sequence: number }>> {
    const { clientId } = order;
    if (order.from === order.to) return wrong("SAME_WALLET", "to", "Choose two different accounts.");
    const coin = this.#needs.coins.findAsset(order.asset);
    if (coin === undefined) return wrong("UNKNOWN_ASSET", "asset", "There is no such coin.", 404);
    const amount = parseUnits(order.amount, coin.scale);
    if (!amount.done || amount.value === 0n) {
      const message = `amount must be above zero, with at most ${coin.scale} decimals.`;
      return wrong("INVALID_AMOUNT", "amount", message);
    }
    const [account, to] = await Promise.all([
      this.#needs.findAccount(userId, WALLET_TYPES[order.from]),
      this.#needs.findAccount(userId, WALLET_TYPES[order.to]),
    ]);
    if (account === undefined || to === undefined) return NOT_READY;
    const ack = await this.#needs.submit({
      kind: "transfer",
      account,
      to,
      asset: coin.asset,
      units: Number(amount.value),
      // One namespace for all money: the user's number keeps callers' ids apart.
      reference: `t:${userId.toString(36)}:${clientId}`,
    });
    if (!ack.done) return this.#refuseTransfer(ack, coin, account);
    const repeated = ack.events.find((event) => event.kind === "repeated");
    const sequence = repeated?.kind === "repeated" ? repeated.firstSequence : ack.sequence;
    return answer({ clientId, sequence });
  }

  async #refuseTransfer(
    ack: Extract<WalletAnswer, { readonly done: false }>,
    coin: WalletCoin,
    account: number,
  ): Promise<Outcome<never>> {
    const { code } = ack;
    switch (code) {
      case "INSUFFICIENT_BALANCE": {
        const view = await this.#needs.openView(account);
        const available = view.balances.get(coin.asset)?.available_units ?? 0n;
        const text = formatUnits(units(available), coin.scale);
        return wrong(code, "amount", `Not enough ${coin.symbol}: ${text} available.`, 422);
      }
      case "REFERENCE_REUSED":
        return wrong(code, "clientId", "This clientId was used for another transfer.", 409);
      case "ACCOUNT_BLOCKED":
        return refuse({ code, status: 403, message: "Nothing can be moved out of this account now; contact support." });
      case "ENGINE_BUSY":
      case "ENGINE_STARTING":
      case "ENGINE_CLOSED":
      case "ENGINE_HALTED":
        return refuse({
          code,
          status: 503,
          message: "The exchange cannot answer now. Repeat with the same clientId: nothing happens twice.",
          retryAfterSeconds: code === "ENGINE_BUSY" ? 1 : 5,
        });
      default:
        return refuse({ code, status: 422, message: "The exchange refused this transfer." });
    }
  }

  async listBills(userId: number, query: BillsQuery): Promise<Outcome<BillPage>> {
    const types = query.walletType === undefined ? (Object.keys(WALLET_TYPES) as WalletType[]) : [query.walletType];
    const owners = new Map<number, WalletType>();
    for (const walletType of types) {
      const account = await this.#needs.findAccount(userId, WALLET_TYPES[walletType]);
      if (account === undefined) return NOT_READY;
      owners.set(account, walletType);
      await this.#needs.settled((await this.#needs.openView(account)).changedSequence);
    }
    const coin = query.asset === undefined ? undefined : this.#needs.coins.findAsset(query.asset);
    if (query.asset !== undefined && coin === undefined) return answer({ bills: [], next: null });
    const [sequence, line = 0] = (query.before ?? "").split("-").map(Number);
    const limit = query.limit ?? PAGE;
    const rows = await this.#store.listBills({
      accounts: [...owners.keys()],
      asset: coin?.asset,
      business: query.business,
      fromMs: query.from,
      toMs: query.to,
      before: query.before === undefined || sequence === undefined ? undefined : [sequence, line],
      limit: limit + 1,
    });
    const shown = rows.slice(0, limit);
    const last = rows.length > shown.length ? shown.at(-1) : undefined;
    return answer({
      bills: shown.flatMap((row) => this.#describeBill(row, owners.get(row.account)) ?? []),
      next: last === undefined ? null : `${last.sequence}-${last.line}`,
    });
  }

  #describeBill(row: BillRecord, walletType: WalletType | undefined): Bill | undefined {
    const coin = this.#needs.coins.findAssetById(row.asset);
    if (coin === undefined || walletType === undefined) return undefined;
    const number = row.reference_number === 0 ? null : String(row.reference_number);
    return {
      id: `${row.sequence}-${row.line}`,
      walletType,
      asset: coin.symbol,
      business: row.business,
      change: formatUnits(units(row.delta_units), coin.scale),
      balance: formatUnits(units(row.available_units + row.frozen_units), coin.scale),
      reference: row.reference ?? number,
      timeMs: row.time_ms,
    };
  }
}

function describeAsset(coin: WalletCoin, row: WalletBalance, worth: bigint | undefined): WalletAsset {
  return {
    asset: coin.symbol,
    name: coin.name,
    available: formatUnits(units(row.available_units), coin.scale),
    frozen: formatUnits(units(row.frozen_units), coin.scale),
    total: formatUnits(units(row.available_units + row.frozen_units), coin.scale),
    worthUsdt: worth === undefined ? null : worthText(worth),
  };
}

function worthText(worthUnits: bigint): string {
  return formatUnits(units(worthUnits), WORTH_SCALE);
}
