// Pure rules of deals with providers: texts of refusals and the signed content.

import { type PageMark, readMark, writeMark } from "@clockwork/kit/otc/page-mark";
import { cutPage } from "@clockwork/kit/pages/page";
import { BILL_KINDS, type Bill, type BillsQuery, type CallbackBody, type FinanceBills } from "./contract.ts";

export const QUOTE_MS = 60_000;
/** Quotes that were not accepted are kept for this time. */
export const PRUNE_MS = 3_600_000;
export const PAGE = 20;
export const LEVEL_MIN = 2;
/** The provider's own side of every entry. */
export const PROVIDER_SIDE = 0;

export function signedText({ provider, dealId, state, at }: CallbackBody): string {
  return `${provider}.${dealId}.${state}.${at}`;
}

export function isAsked(bill: Bill, { before, kind, asset, fiat, since }: BillsQuery): boolean {
  return (
    (before === undefined || isAfter(bill, before)) &&
    (since === undefined || bill.atMs >= since) &&
    (kind === undefined || bill.kind === kind) &&
    (asset === undefined || bill.asset === asset) &&
    (fiat === undefined || bill.fiat === fiat)
  );
}

/** The newest first; of one moment the larger reference, and an order before its fee. */
function compareBills(left: Bill, right: Bill): number {
  if (left.atMs !== right.atMs) return right.atMs - left.atMs;
  if (left.reference !== right.reference) return left.reference < right.reference ? 1 : -1;
  return BILL_KINDS.indexOf(left.kind) - BILL_KINDS.indexOf(right.kind);
}

const markOf = ({ atMs, kind, reference }: Bill): string => writeMark({ atMs, id: `${kind}.${reference}` });

/** The moment and the reference of the bill a page ended with; the same moment may have bills that were not shown. */
export function billsUpTo(before: string | undefined): PageMark | undefined {
  if (before === undefined) return undefined;
  const { atMs, id } = readMark(before);
  return { atMs, id: id.slice(id.indexOf(".") + 1) };
}

function isAfter(bill: Bill, before: string): boolean {
  const { atMs, id } = readMark(before);
  if (id === "") return bill.atMs < atMs;
  const [kind] = id.split(".", 1);
  const known = BILL_KINDS.find((one) => one === kind) ?? "buy";
  return compareBills({ ...bill, atMs, kind: known, reference: billsUpTo(before)?.id ?? "" }, bill) < 0;
}

/** A page starts after the last bill of the page before, also where both are of one moment. */
export function pageOfBills(bills: readonly Bill[]): FinanceBills {
  const sorted = [...bills].sort(compareBills);
  const { shown, end } = cutPage(sorted, PAGE);
  return { bills: [...shown], nextBefore: end === undefined ? null : markOf(end) };
}
