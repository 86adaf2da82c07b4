// Our lists read page by page for calls that name a start, a number or nothing: from a start the first rows, else the
// newest; always oldest first.
import type { Parameters } from "./request.ts";

const PAGE = 200;
const BEGINNING = "0-0";

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page starts; null after the last. */
  readonly next: string | null;
}

export interface Cursor {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
}

/** Which rows a call requests. */
export interface Wanted {
  readonly span: { readonly from?: number; readonly to?: number };
  readonly fromId: number | undefined;
  /** The first rows of what fits, not the last. */
  readonly isForward: boolean;
  readonly limit: number;
}

export function readWanted(
  parameters: Parameters,
  {
    idName,
    limitMax,
    limitDefault,
  }: { readonly idName: string; readonly limitMax: number; readonly limitDefault: number },
): Wanted {
  const [from, to] = [parameters.integer("startTime"), parameters.integer("endTime")];
  const fromId = parameters.integer(idName);
  return {
    span: { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
    fromId,
    isForward: fromId !== undefined || from !== undefined,
    limit: parameters.integer("limit", { min: 1, max: limitMax }) ?? limitDefault,
  };
}

/** At least `max` rows that fit, as long as there are; oldest first. */
export async function readPages<Row>(
  read: (cursor: Cursor) => Promise<Page<Row>>,
  isForward: boolean,
  max: number,
  fits: (row: Row) => boolean = () => true,
  begin = BEGINNING,
): Promise<Row[]> {
  const found: Row[] = [];
  let at: string | null = isForward ? begin : null;
  do {
    const limit = Math.min(PAGE, max);
    const { rows, next }: Page<Row> = await read({
      limit,
      ...(at === null ? {} : isForward ? { after: at } : { before: at }),
    });
    found.push(...rows.filter(fits));
    at = next;
  } while (at !== null && found.length < max);
  return isForward ? found : found.reverse();
}

/** Of rows ordered oldest first. */
export function cut<Row>(rows: readonly Row[], isForward: boolean, limit: number): readonly Row[] {
  return isForward ? rows.slice(0, limit) : rows.slice(-limit);
}

/**
 * Of trades ordered oldest first. The two fills of a self-trade have one number and remain together: a client that
 * continues from the next number would miss the other.
 */
export function cutTrades<Row extends { readonly tradeId: number; readonly pairCode: string }>(
  rows: readonly Row[],
  isForward: boolean,
  limit: number,
): readonly Row[] {
  const [edge, beyond] = isForward ? [rows[limit - 1], rows[limit]] : [rows.at(-limit), rows.at(-limit - 1)];
  const isTorn = edge !== undefined && edge.tradeId === beyond?.tradeId && edge.pairCode === beyond.pairCode;
  return cut(rows, isForward, isTorn ? limit + 1 : limit);
}

interface Placed {
  readonly orderId: string;
  readonly sequence?: number;
}

const sequenceOf = ({ sequence = 0 }: Placed): number => sequence;

/**
 * Orders of several lists in the order they were placed; the later list's where two have the same: an order that moved
 * from one list to the next while they were read in that order is listed once.
 */
export function merge<Row extends Placed>(lists: readonly (readonly Row[])[]): readonly Row[] {
  const rows = new Map(lists.flat().map((row) => [row.orderId, row]));
  const byTime = (left: Row, right: Row): number =>
    sequenceOf(left) - sequenceOf(right) || Number(left.orderId) - Number(right.orderId);
  return [...rows.values()].sort(byTime);
}

/**
 * The start of a list of orders that is requested from a number on. Numbers grow with time, but those of orders that
 * were placed before this was so do not: a caller that names an own order, or the number after one, gets what was
 * placed from there on.
 */
interface Start {
  /** A number none of the caller's orders has: those with higher ones. */
  readonly fromId?: number;
  readonly after: string;
}

export async function findStart(
  fromId: number | undefined,
  find: (orderId: string) => Promise<Placed | undefined>,
): Promise<Start> {
  if (fromId === undefined) return { after: BEGINNING };
  const named = fromId === 0 ? undefined : await find(String(fromId));
  // The cursor's own row is left out: this one is wanted.
  if (named !== undefined) return { after: `${sequenceOf(named)}-${fromId - 1}` };
  const before = fromId <= 1 ? undefined : await find(String(fromId - 1));
  if (before !== undefined) return { after: `${sequenceOf(before)}-${fromId - 1}` };
  return { fromId, after: BEGINNING };
}
