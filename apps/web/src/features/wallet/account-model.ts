// The accounts that have a page of their own: their names in addresses and their numbers in calls. Pure.

export const ACCOUNT_PAGES = [
  { slug: "spot", types: ["1"], title: "account.spot" },
  { slug: "funding", types: ["2"], title: "account.funding" },
  { slug: "futures-usdt", types: ["3"], title: "account.linear" },
  { slug: "futures-coin", types: ["4"], title: "account.inverse" },
  { slug: "copy", types: ["5", "6"], title: "account.copy" },
  { slug: "bots", types: ["7"], title: "account.bots" },
  { slug: "earn", types: ["8"], title: "account.earn" },
  { slug: "otc", types: ["9"], title: "account.otc" },
] as const;
export type AccountPageKind = (typeof ACCOUNT_PAGES)[number];

export function findAccountPage(slug: string): AccountPageKind | undefined {
  return ACCOUNT_PAGES.find((one) => one.slug === slug);
}
