// Prices as places on one line, in percent of its length; for drawing alone.
export interface Line {
  readonly least: string;
  readonly most: string;
  readonly places: readonly number[];
}

export function placeOnLine(prices: readonly string[]): Line {
  const sorted = [...prices].sort((left, right) => Number(left) - Number(right));
  const [least = "0", most = "0"] = [sorted[0], sorted.at(-1)];
  const width = Number(most) - Number(least);
  const places = prices.map((price) => (width === 0 ? 50 : ((Number(price) - Number(least)) / width) * 100));
  return { least, most, places };
}
