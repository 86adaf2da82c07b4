// Pure rules of price alerts: the direction of one, which waiting ones a run of trades meets, and the texts.
import { groupThousands } from "@clockwork/kit/decimal";
import { formatDateTime } from "@clockwork/kit/time";
import type { Alert, Indicator } from "./contract.ts";
import { describeCrossed } from "./indicator-rules.ts";
import type { AlertTrade } from "./needs.ts";

export type Direction = Alert["direction"];

export interface Waiting {
  readonly id: number;
  readonly userId: number;
  readonly pairCode: string;
  readonly direction: Direction;
  readonly price: string;
  readonly percent: string | null;
  readonly indicator: Indicator | null;
  readonly repeats: boolean;
  readonly priceTicks: number;
  readonly createdAtMs: number;
}

/** A price that many percent away, to the nearest tick; undefined if that is the same price. */
export function shiftTicks(fromTicks: number, percent: string): number | undefined {
  const [, sign = "", whole = "0", part = ""] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(percent) ?? [];
  const hundredths = Number(whole) * 100 + Number(part.padEnd(2, "0"));
  const moved = Math.round((fromTicks * (10_000 + (sign === "-" ? -hundredths : hundredths))) / 10_000);
  return moved > 0 && moved !== fromTicks ? moved : undefined;
}

/** Undefined where the price is already there, or where no trade gives a direction. */
export function chooseDirection(
  priceTicks: number,
  lastTicks: number,
  wanted: Direction | undefined,
): Direction | undefined {
  if (lastTicks === 0) return wanted;
  const way = priceTicks > lastTicks ? "rises" : priceTicks < lastTicks ? "falls" : undefined;
  return wanted === undefined || wanted === way ? way : undefined;
}

export function isMet({ direction, priceTicks }: Waiting, atTicks: number): boolean {
  return direction === "rises" ? atTicks >= priceTicks : atTicks <= priceTicks;
}

/** The first of these trades that meets it and was made since it was set. */
export function findMeeting(alert: Waiting, trades: readonly AlertTrade[]): AlertTrade | undefined {
  return trades.find(({ priceTicks, timeMs }) => timeMs >= alert.createdAtMs && isMet(alert, priceTicks));
}

/** Alerts of one pair and direction, next to be met first: a small price move checks a single entry. */
export class WaitingRow {
  readonly #isRising: boolean;
  readonly #alerts: Waiting[] = [];

  constructor(direction: Direction) {
    this.#isRising = direction === "rises";
  }

  get size(): number {
    return this.#alerts.length;
  }

  add(alert: Waiting): void {
    let [low, high] = [0, this.#alerts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const at = this.#alerts[middle]?.priceTicks ?? 0;
      const isBefore = this.#isRising ? at <= alert.priceTicks : at >= alert.priceTicks;
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    this.#alerts.splice(low, 0, alert);
  }

  remove(id: number): void {
    const index = this.#alerts.findIndex((alert) => alert.id === id);
    if (index >= 0) this.#alerts.splice(index, 1);
  }

  /** All whose price is within the range reached. */
  within(atTicks: number): readonly Waiting[] {
    const end = this.#alerts.findIndex((alert) => !isMet(alert, atTicks));
    return end < 0 ? [...this.#alerts] : this.#alerts.slice(0, end);
  }
}

export function describeLetter(alert: Waiting, firedPrice: string, timeMs: number): { title: string; body: string } {
  const pair = alert.pairCode.replace("_", "/");
  if (alert.indicator !== null) {
    const crossed = describeCrossed(alert.indicator, alert.direction);
    return {
      title: `${pair}: ${crossed}`,
      body:
        `The candle that closed at ${formatDateTime(timeMs)} UTC with ${groupThousands(firedPrice)} made it: ${pair}, ${crossed}. ` +
        "An alert is told once; set another one on the trading page.",
    };
  }
  const wanted = groupThousands(alert.price);
  return {
    title: `${pair} ${alert.direction === "rises" ? "rose" : "fell"} to ${wanted}`,
    body:
      `The price you wanted to hear of was met: ${pair} traded at ${groupThousands(firedPrice)} ` +
      `at ${formatDateTime(timeMs)} UTC. ` +
      (alert.repeats
        ? `It is set again ${alert.percent} % from there.`
        : "An alert is told once; set another one on the trading page."),
  };
}
