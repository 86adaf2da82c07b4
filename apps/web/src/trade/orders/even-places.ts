// One precision a column: how many decimals the figures of one pair or coin have at most, so that all are written with as
// many. Pure.

function placesOf(text: string | null | undefined): number {
  const point = text?.indexOf(".") ?? -1;
  return text == null || point === -1 ? 0 : text.length - point - 1;
}

/** By key, the most decimals any of the rows has. */
export function mostPlaces<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  read: (row: Row) => string | null | undefined,
): (row: Row) => number {
  const most = new Map<string, number>();
  for (const row of rows) {
    const key = keyOf(row);
    most.set(key, Math.max(most.get(key) ?? 0, placesOf(read(row))));
  }
  return (row) => most.get(keyOf(row)) ?? 0;
}
