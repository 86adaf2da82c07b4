// The content selected by the history's address, in the call's form. Pure.

import { WALLET_TYPES, type WalletType } from "@clockwork/kit/books";
import type { InputOf } from "@clockwork/kit/endpoint";
import { DAY_MS } from "@clockwork/kit/time";
import type { WALLET_CALLS } from "@clockwork/trading/wallet/contract";

/** Businesses on offer as filters; others are shown but not offered. */
export const BUSINESS_FILTERS = [
  "deposit",
  "withdrawal",
  "withdrawalFee",
  "transfer",
  "internalTransfer",
  "trade",
  "fee",
  "convert",
  "realized",
  "funding",
  "openFee",
  "closeFee",
  "earnSubscribe",
  "earnRedeem",
  "earnInterest",
  "otcRelease",
  "reward",
  "rebate",
  "faucet",
  "reorg",
  "otcEscrow",
  "otcFee",
  "merchantBond",
  "launchCommit",
  "launchAllocate",
  "launchRefund",
  "coupon",
  "bonus",
  "profitShare",
  "botFund",
  "copyFund",
  "liquidationFee",
  "insurance",
  "adl",
  "margin",
  "rounding",
  "adjustment",
] as const;

/** The tabs, each with its businesses; a business of no tab is under all. */
const GROUP_BUSINESSES = {
  deposits: ["deposit", "reorg", "faucet"],
  withdrawals: ["withdrawal", "withdrawalFee"],
  transfers: ["transfer", "internalTransfer"],
  trades: ["trade", "convert", "realized"],
  fees: ["fee", "openFee", "closeFee", "funding"],
  earn: ["earnSubscribe", "earnRedeem", "earnInterest"],
  otc: ["otcRelease"],
  rewards: ["reward", "rebate"],
} as const;
export type Group = keyof typeof GROUP_BUSINESSES;
export const GROUPS = Object.keys(GROUP_BUSINESSES) as readonly Group[];

/** What may be chosen below a tab. */
export function businessesOf(group: Group | undefined): readonly (typeof BUSINESS_FILTERS)[number][] {
  return group === undefined ? BUSINESS_FILTERS : GROUP_BUSINESSES[group];
}

export interface Filters {
  readonly group?: Group | undefined;
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  readonly account?: WalletType | undefined;
  readonly coin?: string | undefined;
  /** Days. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** What is worth next to nothing is left out. */
  readonly isLarge: boolean;
  /** From 1. */
  readonly page: number;
}

export const PAGE_ROWS = 15;
/** In USDT; below it a change is next to nothing. */
const LEAST_USDT = "0.1";

const WALLETS = Object.keys(WALLET_TYPES) as readonly WalletType[];
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Invalid filters are ignored: an address can be typed by hand. */
export function readFilters(search: URLSearchParams): Filters {
  const take = (name: string, isGood: (value: string) => boolean): string | undefined => {
    const value = search.get(name);
    return value !== null && isGood(value) ? value : undefined;
  };
  const isDay = (value: string): boolean => DAY.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`));
  return {
    group: GROUPS.find((one) => one === search.get("group")),
    search: take("search", (value) => /^[A-Za-z0-9:./-]{1,64}$/.test(value)),
    type: take("type", (value) => /^[A-Za-z]{1,32}$/.test(value)),
    account: WALLETS.find((one) => one === search.get("account")),
    coin: take("coin", (value) => /^[A-Z0-9]{1,12}$/.test(value)),
    from: take("from", isDay),
    to: take("to", isDay),
    isLarge: search.get("small") === "hide",
    page: Number(take("page", (value) => /^[1-9]\d{0,3}$/.test(value)) ?? "1"),
  };
}

export function billsQuery({
  group,
  search,
  type,
  account,
  coin,
  from,
  to,
  isLarge,
  page,
}: Filters): InputOf<typeof WALLET_CALLS.bills> {
  const business = type ?? (group === undefined ? undefined : businessesOf(group).join(","));
  const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
  return {
    ...(business === undefined ? {} : { business }),
    ...(search === undefined ? {} : { search }),
    ...(account === undefined ? {} : { walletType: account }),
    ...(coin === undefined ? {} : { asset: coin }),
    ...(from === undefined ? {} : { from: startOf(from) }),
    ...(to === undefined ? {} : { to: startOf(to) + DAY_MS - 1 }),
    ...(isLarge ? { least: LEAST_USDT } : {}),
    page,
    limit: PAGE_ROWS,
  };
}

/** The optional columns of the table; the coin and the change are always shown. */
export const COLUMNS = ["time", "business", "account", "balance", "reference"] as const;
export type Column = (typeof COLUMNS)[number];

/** Nothing kept, or something else than columns, is all of them. */
export function readColumns(kept: unknown): readonly Column[] | undefined {
  if (!Array.isArray(kept)) return undefined;
  return COLUMNS.filter((one) => kept.includes(one));
}
