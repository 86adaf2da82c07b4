// Snapping of a slider to its stops. A drag moves by single steps; only near a stop does the knob settle on it.

export function snapToStop(value: number, stops: readonly number[], reach: number): number {
  for (const stop of stops) if (Math.abs(stop - value) <= reach) return stop;
  return value;
}

export function nextStop(value: number, stops: readonly number[], direction: 1 | -1): number {
  const ordered = stops.toSorted((a, b) => a - b);
  const found = direction === 1 ? ordered.find((stop) => stop > value) : ordered.findLast((stop) => stop < value);
  return found ?? value;
}
