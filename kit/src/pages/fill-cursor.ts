// The end of a page of fills: command, trade, market and role. A self-trade has two fills, and trade numbers are per
// market, so nothing less identifies a fill. Pure.

/** In the order of their names, as in the tables. */
export const FILL_ROLES = ["maker", "taker"] as const;

/** Command, trade, market, place of the role; the last two may be missing at the very beginning. */
export type FillCursor = readonly [number, number, number | undefined, number | undefined];

export const FILL_CURSOR_PATTERN = "^[0-9]{1,15}-[0-9]{1,15}(-[0-9]{1,9}-[01])?$";
export const FILL_CURSOR_LENGTH_MAX = 43;

export function writeFillCursor(fill: {
  readonly sequence: number;
  readonly trade_number: number;
  readonly market: number;
  readonly role: "maker" | "taker";
}): string {
  return `${fill.sequence}-${fill.trade_number}-${fill.market}-${FILL_ROLES.indexOf(fill.role)}`;
}

export function readFillCursor(text: string | undefined): FillCursor | undefined {
  const [sequence, trade, market, role] = (text ?? "").split("-").map(Number);
  return sequence === undefined || trade === undefined ? undefined : [sequence, trade, market, role];
}
