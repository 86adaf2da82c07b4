// What the history's address says is shown, as the call wants it. Pure.
import { DAY_MS } from "@clockwork/kit/time";

export const BILLS_PATH = "/asset/v1/api/wallet/bills";

/** Businesses people look for; others are shown but not offered. */
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
] as const;

/** The tabs, each with the businesses it shows; what stands in none is under all. */
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

export const WALLET_NAMES: Readonly<Record<string, string>> = {
  "1": "Spot",
  "2": "Funding",
  "3": "Futures, USDT",
  "4": "Futures, coin",
  "5": "Copy, futures",
  "6": "Copy, spot",
  "7": "Bots",
  "8": "Earn",
  "9": "OTC",
};

export interface Filters {
  readonly group?: Group | undefined;
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  readonly account?: string | undefined;
  readonly coin?: string | undefined;
  /** Days. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whatever is no filter is as if it were not there: an address is typed by anybody. */
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
    account: take("account", (value) => WALLET_NAMES[value] !== undefined),
    coin: take("coin", (value) => /^[A-Z0-9]{1,12}$/.test(value)),
    from: take("from", isDay),
    to: take("to", isDay),
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
}: Filters): Readonly<Record<string, string>> {
  const business = type ?? (group === undefined ? undefined : businessesOf(group).join(","));
  const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
  return {
    ...(business === undefined ? {} : { business }),
    ...(search === undefined ? {} : { search }),
    ...(account === undefined ? {} : { walletType: account }),
    ...(coin === undefined ? {} : { asset: coin }),
    ...(from === undefined ? {} : { from: String(startOf(from)) }),
    ...(to === undefined ? {} : { to: String(startOf(to) + DAY_MS - 1) }),
  };
}
