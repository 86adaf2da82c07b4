// One page of a history: services read one row more than a page shows, and the row a page ends at becomes the cursor of
// the next page. Pure.

/** Two numbers that order a history, most significant first. */
export type PairCursor = readonly [major: number, minor: number];

export const PAIR_CURSOR_PATTERN = "^[0-9]{1,15}-[0-9]{1,15}$";
export const PAIR_CURSOR_LENGTH_MAX = 31;

export const writePairCursor = (major: number, minor: number): string => `${major}-${minor}`;

export function readPairCursor(text: string | undefined): PairCursor | undefined {
  const [major, minor] = (text ?? "").split("-").map(Number);
  return major === undefined || minor === undefined ? undefined : [major, minor];
}

/** `end` is the last shown row, and undefined on the last page. */
export function cutPage<Row>(
  found: readonly Row[],
  limit: number,
): { readonly shown: readonly Row[]; readonly end: Row | undefined } {
  const shown = found.slice(0, limit);
  return { shown, end: found.length > limit ? shown.at(-1) : undefined };
}
