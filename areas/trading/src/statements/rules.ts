// Pure rules of statements: refusals, the cell of a posting, and that opening and postings give the closing.
import { DAY_MS } from "@clockwork/kit/time";
import type { PreviewGroup } from "./contract.ts";
import type { StatementRefusal } from "./refusals.ts";

export const UNDER_WAY_MAX = 3;
export const FILES_MAX = 50;
const PERIOD_MAX_MS = 3_660 * DAY_MS;

export function findPeriodProblem(fromMs: number, toMs: number, nowMs: number): StatementRefusal | undefined {
  if (fromMs >= toMs || toMs - fromMs > PERIOD_MAX_MS) return "PERIOD_INVALID";
  return toMs > nowMs ? "PERIOD_OPEN" : undefined;
}

/** One leg of one posting in one of the user's books. */
export interface Posting {
  readonly sequence: number;
  readonly line: number;
  readonly timeMs: number;
  /** Of funding: when it was due; of all else the same. */
  readonly settledMs: number;
  /** The display name of the book, with its sub. */
  readonly account: string;
  readonly asset: string;
  readonly scale: number;
  readonly business: string;
  readonly deltaUnits: bigint;
  readonly balanceUnits: bigint;
  readonly market: number;
  readonly reference: string;
}

const GROUPS: Readonly<Record<string, PreviewGroup>> = {
  deposit: "deposits",
  faucet: "deposits",
  reorg: "deposits",
  withdrawal: "withdrawals",
  withdrawalFee: "fees",
  transfer: "transfers",
  internalTransfer: "transfers",
  botFund: "transfers",
  copyFund: "transfers",
  trade: "trades",
  convert: "trades",
  fee: "fees",
  openFee: "fees",
  closeFee: "fees",
  liquidationFee: "fees",
  otcFee: "fees",
  realized: "futures",
  funding: "futures",
  insurance: "futures",
  adl: "futures",
  margin: "futures",
  earnSubscribe: "earn",
  earnRedeem: "earn",
  earnInterest: "earn",
  otcEscrow: "otc",
  otcRelease: "otc",
  merchantBond: "otc",
  reward: "rewards",
  coupon: "rewards",
  bonus: "rewards",
  rebate: "rewards",
  profitShare: "rewards",
};

export function groupOf(business: string): PreviewGroup {
  return GROUPS[business] ?? "other";
}

/** The opening of one coin in one book, and its movements. */
interface Cell {
  readonly account: string;
  readonly asset: string;
  readonly scale: number;
  readonly openingUnits: bigint;
  readonly byBusiness: Map<string, bigint>;
  lastUnits: bigint | undefined;
}

export interface CellSum {
  readonly account: string;
  readonly asset: string;
  readonly scale: number;
  readonly openingUnits: bigint;
  readonly byBusiness: readonly (readonly [business: string, units: bigint])[];
  readonly closingUnits: bigint;
}

/** Sums postings per cell and checks that the ledger's own balances agree. */
export class Sums {
  readonly #cells = new Map<string, Cell>();

  open(account: string, asset: string, scale: number, openingUnits: bigint): void {
    const cell = { account, asset, scale, openingUnits, byBusiness: new Map(), lastUnits: undefined };
    this.#cells.set(`${account}\n${asset}`, cell);
  }

  add({ account, asset, scale, business, deltaUnits, balanceUnits }: Posting): void {
    const key = `${account}\n${asset}`;
    if (!this.#cells.has(key)) this.open(account, asset, scale, 0n);
    const cell = this.#cells.get(key) as Cell;
    cell.byBusiness.set(business, (cell.byBusiness.get(business) ?? 0n) + deltaUnits);
    cell.lastUnits = balanceUnits;
  }

  /** Sorted by name; only non-empty cells. */
  read(): readonly CellSum[] {
    return [...this.#cells.values()]
      .filter(({ openingUnits, byBusiness }) => openingUnits !== 0n || byBusiness.size > 0)
      .map(({ account, asset, scale, openingUnits, byBusiness }) => ({
        account,
        asset,
        scale,
        openingUnits,
        byBusiness: [...byBusiness].sort(([left], [right]) => (left < right ? -1 : 1)),
        closingUnits: [...byBusiness.values()].reduce((sum, change) => sum + change, openingUnits),
      }))
      .sort((left, right) => (`${left.account}\n${left.asset}` < `${right.account}\n${right.asset}` ? -1 : 1));
  }

  /** The cell whose postings do not lead to the ledger's last balance; undefined when all do. */
  findBroken(): string | undefined {
    const sums = this.read();
    const broken = sums.find(({ account, asset, closingUnits }) => {
      const last = this.#cells.get(`${account}\n${asset}`)?.lastUnits;
      return last !== undefined && last !== closingUnits;
    });
    return broken === undefined ? undefined : `${broken.account} ${broken.asset}`;
  }
}
