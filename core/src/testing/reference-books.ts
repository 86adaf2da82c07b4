// Owns what a plain model of the money commands keeps: balances, holds and restrictions in maps, what a user is worth, and the
// lines it tells. For tests; never part of a running exchange.
import { type Business, EXTERNAL_ACCOUNT } from "../protocol/names.ts";

/** What is told: an event's name and its members, one after the other. */
export type Line = readonly (string | number)[];

export interface ReferenceAccount {
  /** 0 for the house's. */
  readonly user: number;
  readonly isMovable: boolean;
}

export interface ReferenceAsset {
  readonly asset: number;
  /** What it is worth in USDT: as much as itself, so many ticks a lot, or nobody knows. */
  readonly price: "one" | "ticks" | "none";
}

export interface ReferenceHold {
  readonly name: string;
  readonly account: number;
  readonly asset: number;
  readonly business: Business;
  readonly outgoing: boolean;
  readonly placedAt: number;
  left: number;
  expires: number;
  /** Its time was over with units left. */
  isOver: boolean;
}

export interface ReferenceRestriction {
  readonly name: string;
  readonly user: number;
  readonly until: number;
  left: number;
}

/** Why not, and the bound that was broken. */
export class Refusal extends Error {
  readonly code: string;
  readonly limit: number;
  item = 0;

  constructor(code: string, limit = 0) {
    super(code);
    this.code = code;
    this.limit = limit;
  }
}

export function refuseIf(condition: boolean, code: string, limit = 0): void {
  if (condition) throw new Refusal(code, limit);
}

export const isName = (text: string): boolean => /^[A-Za-z0-9._:/-]{1,36}$/.test(text);
export const isUnits = (units: number): boolean => Number.isSafeInteger(units) && units >= 1;

export class ReferenceBooks {
  time = 0;
  /** Ticks a lot of the base asset is worth in USDT; 0 while nobody knows. */
  ticks = 0;
  lines: Line[] = [];
  readonly blocked = new Set<number>();
  readonly holds = new Map<string, ReferenceHold>();
  readonly restrictions = new Map<string, ReferenceRestriction>();
  readonly accounts: ReadonlyMap<number, ReferenceAccount>;
  readonly assets: readonly ReferenceAsset[];
  readonly #stepUnits: number;
  readonly #cells = new Map<string, { free: number; frozen: number }>();

  constructor(accounts: ReadonlyMap<number, ReferenceAccount>, assets: readonly ReferenceAsset[], stepUnits: number) {
    this.accounts = accounts;
    this.assets = assets;
    this.#stepUnits = stepUnits;
  }

  cell(account: number, asset: number): { free: number; frozen: number } {
    const key = `${account} ${asset}`;
    const found = this.#cells.get(key) ?? { free: 0, frozen: 0 };
    this.#cells.set(key, found);
    return found;
  }

  isMovable(account: number): boolean {
    return this.accounts.get(account)?.isMovable === true;
  }

  post(business: string, from: number, to: number, asset: number, units: number, isHeld = false): void {
    const [payer, payee] = [this.cell(from, asset), this.cell(to, asset)];
    if (isHeld) payer.frozen -= units;
    else payer.free -= units;
    payee.free += units;
    this.lines.push(["posting", business, from, to, 0, asset, -units, 0, payer.free, payer.frozen]);
    this.lines.push(["posting", business, to, from, 0, asset, units, 0, payee.free, payee.frozen]);
  }

  freeze(business: string, account: number, asset: number, units: number): void {
    const cell = this.cell(account, asset);
    cell.free -= units;
    cell.frozen += units;
    this.lines.push(["frozen", business, account, asset, units, 0, cell.free, cell.frozen]);
  }

  checkAsset(asset: number, units: number): void {
    refuseIf(!this.assets.some((one) => one.asset === asset), "UNKNOWN_ASSET");
    refuseIf(!isUnits(units), "INVALID_AMOUNT");
  }

  checkFree(account: number, asset: number, units: number): void {
    const { free } = this.cell(account, asset);
    refuseIf(free < units, "INSUFFICIENT_BALANCE", free);
  }

  checkParties(from: number, to: number): void {
    const mayReceive = to === EXTERNAL_ACCOUNT || this.isMovable(to);
    refuseIf(from === to || !this.isMovable(from) || !mayReceive, "NOT_TRANSFERABLE");
  }

  restrictedOf(user: number): number {
    const counts = ({ until }: ReferenceRestriction): boolean => until === 0 || until > this.time;
    const own = [...this.restrictions.values()].filter((one) => one.user === user && counts(one));
    return own.reduce((sum, { left }) => sum + left, 0);
  }

  /** Worth in USDT units times the units of a lot, so that nothing is rounded here. */
  #wholeWorth({ price }: ReferenceAsset, units: number): bigint {
    const factor = price === "none" ? 0 : price === "one" ? this.#stepUnits : this.ticks;
    return BigInt(units) * BigInt(factor);
  }

  worthOf(user: number): bigint {
    let sum = 0n;
    for (const [account, owner] of this.accounts) {
      if (owner.user !== user) continue;
      for (const one of this.assets) {
        const { free, frozen } = this.cell(account, one.asset);
        const leaving = [...this.holds.values()].filter(
          (hold) => hold.outgoing && hold.account === account && hold.asset === one.asset,
        );
        const units = leaving.reduce((rest, { left }) => rest - left, free + frozen);
        sum += this.#wholeWorth(one, units) / BigInt(this.#stepUnits);
      }
    }
    return sum;
  }

  /** Whether so much may leave its owner; `gone` is what earlier legs have taken from each. */
  checkLeaving(from: number, to: number, asset: number, units: number, gone = new Map<number, bigint>()): void {
    const user = this.accounts.get(from)?.user ?? 0;
    if (user === 0 || this.accounts.get(to)?.user === user) return;
    const restricted = this.restrictedOf(user);
    if (restricted === 0) return;
    const one = this.assets.find((known) => known.asset === asset);
    if (one === undefined || this.#wholeWorth(one, 1) === 0n) throw new Refusal("NO_REFERENCE_PRICE");
    const step = BigInt(this.#stepUnits);
    const worth = (this.#wholeWorth(one, units) + step - 1n) / step;
    const taken = gone.get(user) ?? 0n;
    const free = this.worthOf(user) - BigInt(restricted) - taken;
    refuseIf(worth > free, "RESTRICTED", free < 0n ? 0 : Number(free));
    gone.set(user, taken + worth);
  }
}
