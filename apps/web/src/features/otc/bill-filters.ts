// Which bills an address requests, each part checked, and the call that fetches them.
import { BILL_KINDS, type BillKind } from "@clockwork/fiat/otcproviders/contract";
import { FIAT_CODES, OTC_COINS } from "@clockwork/kit/otc/fiat";
import { DAY_MS } from "@clockwork/kit/time";

export const BILL_DAYS = ["1", "7", "30", "90"] as const;

export interface BillFilters {
  readonly kind?: BillKind;
  readonly asset?: (typeof OTC_COINS)[number];
  readonly fiat?: string;
  readonly days?: (typeof BILL_DAYS)[number];
}

export function readBillFilters(search: URLSearchParams): BillFilters {
  const known = <Value extends string>(name: string, values: readonly Value[]): Value | undefined =>
    values.find((one) => one === search.get(name));
  const [kind, asset] = [known("kind", BILL_KINDS), known("asset", OTC_COINS)];
  const [fiat, days] = [known("fiat", FIAT_CODES), known("days", BILL_DAYS)];
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(asset === undefined ? {} : { asset }),
    ...(fiat === undefined ? {} : { fiat }),
    ...(days === undefined ? {} : { days }),
  };
}

export function billsQuery(
  { days, ...filters }: BillFilters,
  nowMs: number,
): Omit<BillFilters, "days"> & { readonly since?: number } {
  return { ...filters, ...(days === undefined ? {} : { since: nowMs - Number(days) * DAY_MS }) };
}
