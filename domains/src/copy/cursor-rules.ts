// Pages of a ranked list behind a cursor that is a place in the ranking, not a row: rows that leave or move meanwhile neither
// send a reader back to the beginning nor show twice what stayed where it was. Pure.

export interface CursorPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

/** Rows are sorted by their rank, highest first; the cursor says a rank and how many of that rank were shown. */
export function pageAfter<Row>(
  rows: readonly Row[],
  rankOf: (row: Row) => bigint,
  cursor: string | undefined,
  limit: number,
): CursorPage<Row> {
  const from = cursor === undefined ? 0 : placeOf(rows, rankOf, cursor);
  const shown = rows.slice(from, from + limit);
  const last = shown.at(-1);
  if (last === undefined || from + limit >= rows.length) return { rows: shown, nextCursor: null };
  const rank = rankOf(last);
  const first = rows.findIndex((row) => rankOf(row) === rank);
  return { rows: shown, nextCursor: `${rank}.${from + shown.length - first}` };
}

function placeOf<Row>(rows: readonly Row[], rankOf: (row: Row) => bigint, cursor: string): number {
  const [rankText = "0", seen = "0"] = cursor.split(".");
  const rank = BigInt(rankText);
  const first = rows.findIndex((row) => rankOf(row) <= rank);
  if (first === -1) return rows.length;
  const same = rows.slice(first).findIndex((row) => rankOf(row) < rank);
  return first + Math.min(Number(seen), same === -1 ? rows.length - first : same);
}
