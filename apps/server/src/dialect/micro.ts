// Times of the Binance dialect in microseconds, for clients that request them: the clock counts milliseconds, so three
// zeros follow.
const TIMES: ReadonlySet<string> = new Set([
  ...["time", "updateTime", "transactTime", "transactionTime", "workingTime", "openTime", "closeTime", "serverTime"],
  ...["timestamp", "triggerTime", "createTime", "E", "T", "W", "O", "C", "t"],
]);
/** Letters that count something else in other messages: only numbers of this size are times. */
const FIRST_MS = 1_000_000_000_000;

const isTime = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= FIRST_MS && value < FIRST_MS * 10;

/** A copy with every time in microseconds; candles are lists of which the first and the seventh are times. */
export function inMicroseconds(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isCandle = value.length === 12 && isTime(value[0]) && isTime(value[6]);
    return value.map((one, place) =>
      isCandle && place === 0
        ? (one as number) * 1_000
        : isCandle && place === 6
          ? (one as number) * 1_000 + 999
          : inMicroseconds(one),
    );
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      TIMES.has(name) && isTime(one) ? one * 1_000 : inMicroseconds(one),
    ]),
  );
}
