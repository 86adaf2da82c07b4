// What simulated accounts hold and should hold: funded once, topped up or relieved when customers have moved the
// balance far. Pure; knows balances only from the events it is shown.
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";

export interface FundedAsset {
  readonly asset: number;
  readonly symbol: string;
  /** Ledger units in a whole coin. */
  readonly unitsPerCoin: number;
}

/** USDT each kind of account should hold of every coin, and of USDT itself. */
const MAKER_WORTH = { coin: 40_000_000, usdt: 400_000_000 };
const TAKER_WORTH = { coin: 6_000_000, usdt: 60_000_000 };
const LOW = 0.35;
const HIGH = 3;
/** Far below what the ledger can count in one asset. */
const UNITS_MAX = 2 ** 50;

const LACKS: ReadonlySet<string> = new Set(["INSUFFICIENT_BALANCE", "INSUFFICIENT_MARGIN"]);

interface Holding {
  total: number;
  available: number;
}

/** What one account should hold of one coin. */
export interface Wallet extends FundedAsset {
  readonly account: number;
  /** In USDT. */
  readonly worth: number;
}

/** Every coin for the maker and the takers of the spot market. */
export function spotWallets(assets: readonly FundedAsset[], maker: number, takers: readonly number[]): Wallet[] {
  return [maker, ...takers].flatMap((account) => {
    const worth = account === maker ? MAKER_WORTH : TAKER_WORTH;
    return assets.map((asset) => ({ ...asset, account, worth: asset.symbol === "USDT" ? worth.usdt : worth.coin }));
  });
}

export class Inventory {
  readonly #wallets: readonly Wallet[];
  readonly #accounts: ReadonlySet<number>;
  readonly #holdings = new Map<string, Holding>();
  readonly #targets = new Map<string, number>();
  readonly #lacking = new Set<string>();

  constructor(wallets: readonly Wallet[]) {
    this.#wallets = wallets;
    this.#accounts = new Set(wallets.map(({ account }) => account));
  }

  /** Somebody was refused for want of money. */
  get isEmptyHanded(): boolean {
    return this.#lacking.size > 0;
  }

  fund(nowMs: number, priceOf: (symbol: string) => number): Command[] {
    return this.#each(priceOf).map(({ account, asset, target }) => give(account, asset, target, nowMs));
  }

  /** −1 for far too little of an asset, 1 for far too much, 0 when nothing is known. */
  skew(accounts: readonly number[], asset: number): number {
    let total = 0;
    let target = 0;
    for (const account of accounts) {
      total += this.#holdings.get(`${account}:${asset}`)?.total ?? 0;
      target += this.#targets.get(`${account}:${asset}`) ?? 0;
    }
    return target === 0 || total === 0 ? 0 : Math.max(-1, Math.min(1, total / target - 1));
  }

  balance(nowMs: number, priceOf: (symbol: string) => number): Command[] {
    const commands: Command[] = [];
    for (const { account, asset, target } of this.#each(priceOf)) {
      const key = `${account}:${asset}`;
      const holding = this.#holdings.get(key);
      const isLacking = this.#lacking.delete(key);
      if (isLacking || (holding !== undefined && holding.total < target * LOW)) {
        commands.push(give(account, asset, Math.max(1, Math.round(target - (holding?.total ?? 0))), nowMs));
      } else if (holding !== undefined && holding.total > target * HIGH) {
        const units = Math.floor(Math.min(holding.available, holding.total - target));
        if (units > 0) commands.push(takeBack(account, asset, units, nowMs));
      }
    }
    return commands;
  }

  observe(event: MachineEvent): void {
    if (event.kind === "posting" || event.kind === "frozen") {
      if (!this.#accounts.has(event.account)) return;
      const { availableUnits, frozenUnits } = event;
      this.#holdings.set(`${event.account}:${event.asset}`, {
        total: availableUnits + frozenUnits,
        available: availableUnits,
      });
    } else if (event.kind === "rejected" && LACKS.has(event.code)) {
      if (this.#accounts.has(event.account)) this.#lack(event.account, event.asset);
    }
  }

  /** The refusal may not name the asset; then everything the account lacks is looked at. */
  #lack(account: number, asset: number): void {
    if (asset !== 0) this.#lacking.add(`${account}:${asset}`);
    else for (const each of this.#wallets) if (each.account === account) this.#lacking.add(`${account}:${each.asset}`);
  }

  #each(priceOf: (symbol: string) => number): { account: number; asset: number; target: number }[] {
    return this.#wallets.map(({ account, asset, symbol, unitsPerCoin, worth }) => {
      const coins = symbol === "USDT" ? worth : worth / priceOf(symbol);
      const target = Math.min(UNITS_MAX, Math.round(coins * unitsPerCoin));
      this.#targets.set(`${account}:${asset}`, target);
      return { account, asset, target };
    });
  }
}

/** From the reserves: simulated traders have what the house lends them, and nothing is made for them. */
export function give(account: number, asset: number, units: number, nowMs: number): Command {
  const reference = `sim:${nowMs}:${account}:${asset}`;
  return { kind: "transfer", account: RESERVES_ACCOUNT, to: account, asset, business: "faucet", units, reference };
}

export function takeBack(account: number, asset: number, units: number, nowMs: number): Command {
  const reference = `sim:${nowMs}:${account}:${asset}`;
  return { kind: "transfer", account, to: RESERVES_ACCOUNT, asset, business: "faucet", units, reference };
}
