// Price alerts: set, listed, removed, and sent once when a trade meets them. Waiting alerts are held in memory and in
// the table. An alert is marked met before its owner is notified, so a restart sends what is outstanding. A trade is
// read once: the alerts it met are kept until they are written and sent.
import { done, type Result, refused } from "@clockwork/kit/result";
import type { Alert, AlertBody, AlertList, Indicator } from "./contract.ts";
import { closesNeeded, isCrossed, isSound, readIndicator, writeIndicator } from "./indicator-rules.ts";
import type { AlertNeeds, AlertTrade } from "./needs.ts";
import { ALERTS_MAX, type AlertRefusal } from "./refusals.ts";
import {
  chooseDirection,
  type Direction,
  describeLetter,
  findMeeting,
  shiftTicks,
  type Waiting,
  WaitingRow,
} from "./rules.ts";
import type { AlertRow, AlertStore } from "./store.ts";

const FIRED_SHOWN = 20;
const FIRED_KEPT = 100;
const LOAD_PAGE = 1_000;

interface PairRows {
  readonly rises: WaitingRow;
  readonly falls: WaitingRow;
  /** Number of the last trade read. */
  seen: number;
}

interface Met {
  readonly alert: Waiting;
  readonly price: string;
  readonly timeMs: number;
}

export interface AlertParts {
  readonly store: AlertStore;
  readonly needs: AlertNeeds;
  readonly onFault: (error: unknown) => void;
}

export class AlertService {
  readonly #store: AlertStore;
  readonly #needs: AlertNeeds;
  readonly #onFault: (error: unknown) => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #pairs = new Map<string, PairRows>();
  /** Alerts by closed candles, with the time each was last evaluated at. */
  readonly #byCandle = new Map<number, number>();
  /**
   * How many each user has waiting or about to: counted before the row is written, so that no burst passes the limit.
   */
  readonly #counts = new Map<number, number>();
  /** The trade that met each, until it is stored. */
  readonly #met = new Map<number, AlertTrade>();
  /** Written as met; their owners are not notified yet. */
  readonly #untold = new Map<number, Met>();
  #checking: Promise<void> | undefined;

  constructor({ store, needs, onFault }: AlertParts) {
    this.#store = store;
    this.#needs = needs;
    this.#onFault = onFault;
  }

  /** Loads waiting alerts and those met but not sent. May be repeated after a fault. */
  async load(): Promise<void> {
    for (let after = 0; ; ) {
      const rows = await this.#store.listUntold(after, LOAD_PAGE);
      for (const row of rows) {
        const timeMs = row.fired_at_ms;
        if (timeMs !== null)
          this.#untold.set(row.id, { alert: readRow(row, 0), price: row.fired_price ?? row.price, timeMs });
        else if (!this.#waiting.has(row.id))
          this.#take(readRow(row, this.#needs.readTicks(row.pair_code, row.price) ?? 0));
      }
      if (rows.length < LOAD_PAGE) return;
      after = rows.at(-1)?.id ?? after;
    }
  }

  async list(userId: number, pairCode: string | undefined): Promise<AlertList> {
    const [waiting, fired] = await Promise.all([
      this.#store.list(userId, pairCode, false, ALERTS_MAX),
      this.#store.list(userId, pairCode, true, FIRED_SHOWN),
    ]);
    return { waiting: waiting.map(describeRow), fired: fired.map(describeRow) };
  }

  async add(userId: number, body: AlertBody, timeMs: number): Promise<Result<Alert, AlertRefusal>> {
    const { pairCode, indicator } = body;
    if (!this.#needs.hasPair(pairCode)) return refused("UNKNOWN_MARKET");
    const lastTicks = this.#needs.lastTicks(pairCode);
    const { percent = null, repeats = false } = body;
    if (indicator !== undefined) return this.#addIndicator(userId, { ...body, indicator }, lastTicks, timeMs);
    // One or the other, and only a distance from a price can repeat.
    if ((body.price === undefined) === (percent === null) || (repeats && percent === null))
      return refused("INVALID_PRICE");
    if (lastTicks === 0 && (body.direction === undefined || percent !== null)) return refused("NO_PRICE");
    const priceTicks =
      percent === null ? this.#needs.readTicks(pairCode, body.price ?? "") : shiftTicks(lastTicks, percent);
    if (priceTicks === undefined) return refused("INVALID_PRICE");
    const direction = chooseDirection(priceTicks, lastTicks, body.direction);
    if (direction === undefined) return refused("ALERT_MET");
    const price = this.#needs.writePrice(pairCode, priceTicks);
    return this.#keep(newRow(userId, { pairCode, direction, price, percent, repeats }, timeMs), priceTicks);
  }

  /** Needs a direction; cannot be combined with a price or repeat. */
  async #addIndicator(
    userId: number,
    { pairCode, direction, price, percent, repeats, indicator }: AlertBody & { readonly indicator: Indicator },
    lastTicks: number,
    timeMs: number,
  ): Promise<Result<Alert, AlertRefusal>> {
    const isAlone = price === undefined && percent === undefined && repeats !== true;
    if (direction === undefined || !isAlone || !isSound(indicator)) return refused("INVALID_INDICATOR");
    if (lastTicks === 0) return refused("NO_PRICE");
    const set = {
      pairCode,
      direction,
      price: this.#needs.writePrice(pairCode, lastTicks),
      percent: null,
      repeats: false,
    };
    return this.#keep({ ...newRow(userId, set, timeMs), indicator: writeIndicator(indicator) }, lastTicks);
  }

  async #keep(row: Omit<AlertRow, "id">, priceTicks: number): Promise<Result<Alert, AlertRefusal>> {
    const userId = row.user_id;
    const count = this.#counts.get(userId) ?? 0;
    if (count >= ALERTS_MAX) return refused("ALERTS_FULL");
    this.#counts.set(userId, count + 1);
    const id = await this.#store.add(row).catch((error: unknown) => {
      this.#release(userId);
      throw error;
    });
    this.#release(userId);
    this.#take(readRow({ id, ...row }, priceTicks));
    return done(describeRow({ id, ...row }));
  }

  async remove(userId: number, id: number): Promise<Result<null, AlertRefusal>> {
    if (!(await this.#store.remove(userId, id))) return refused("ALERT_UNKNOWN");
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) this.#drop(waiting);
    return done(null);
  }

  /** Reads every trade since the last check; resolves when all alerts that were met have been sent. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<void> {
    for (const [pairCode, rows] of this.#pairs) {
      if (rows.rises.size + rows.falls.size === 0) continue;
      const trades = this.#needs.readTrades(pairCode);
      const fresh = trades.filter(({ number }) => number > rows.seen);
      rows.seen = trades.at(-1)?.number ?? rows.seen;
      if (fresh.length === 0) continue;
      const prices = fresh.map(({ priceTicks }) => priceTicks);
      const near = [...rows.rises.within(Math.max(...prices)), ...rows.falls.within(Math.min(...prices))];
      for (const alert of near) {
        const trade = findMeeting(alert, fresh);
        if (trade !== undefined) this.#note(alert, trade);
      }
    }
    for (const id of [...this.#met.keys()]) await this.#fire(id);
    await this.#checkCandles();
    for (const id of [...this.#untold.keys()]) await this.#notifyMet(id);
  }

  /** The first trade that meets it counts. */
  #note({ id }: Waiting, trade: AlertTrade): void {
    if (!this.#met.has(id)) this.#met.set(id, trade);
  }

  /** Each looks once at every candle that closed since it was set. */
  async #checkCandles(): Promise<void> {
    for (const [id, seenMs] of [...this.#byCandle]) {
      const alert = this.#waiting.get(id);
      const indicator = alert?.indicator ?? null;
      if (alert === undefined || indicator === null) continue;
      // Reads one close first: the many are read only if a candle has closed since the last check.
      const [last] = await this.#needs.readCloses(alert.pairCode, indicator.interval, 1);
      if (last === undefined || last.closedAtMs <= seenMs) continue;
      const closes = await this.#needs.readCloses(alert.pairCode, indicator.interval, closesNeeded(indicator));
      if (this.#byCandle.has(id)) this.#byCandle.set(id, last.closedAtMs);
      const ticks = closes.map(({ priceTicks }) => priceTicks);
      if (!isCrossed(indicator, alert.direction, ticks)) continue;
      this.#note(alert, { number: 0, priceTicks: last.priceTicks, timeMs: last.closedAtMs });
      await this.#fire(id);
    }
  }

  async #fire(id: number): Promise<void> {
    const [alert, trade] = [this.#waiting.get(id), this.#met.get(id)];
    // Removed since.
    if (alert === undefined || trade === undefined) {
      this.#met.delete(id);
      return;
    }
    const { priceTicks, timeMs } = trade;
    const price = this.#needs.writePrice(alert.pairCode, priceTicks);
    try {
      const next = this.#follow(alert, priceTicks, timeMs);
      const nextId = await this.#store.fire(id, timeMs, price, next?.row);
      this.#met.delete(id);
      this.#drop(alert);
      this.#untold.set(id, { alert, price, timeMs });
      if (next !== undefined && nextId !== undefined) this.#take(readRow({ id: nextId, ...next.row }, next.ticks));
    } catch (error) {
      // Unchanged in the table: the next check retries.
      this.#onFault(error);
    }
  }

  async #notifyMet(id: number): Promise<void> {
    const met = this.#untold.get(id);
    if (met === undefined) return;
    try {
      await this.#notify(met.alert, met.price, met.timeMs);
      this.#untold.delete(id);
    } catch (error) {
      // Sent once by its reference: the next check or the next start retries.
      this.#onFault(error);
    }
  }

  /** The successor of a repeating alert; undefined for others. */
  #follow({ userId, pairCode, direction, percent, repeats }: Waiting, fromTicks: number, timeMs: number) {
    const ticks = repeats && percent !== null ? shiftTicks(fromTicks, percent) : undefined;
    if (ticks === undefined) return undefined;
    const price = this.#needs.writePrice(pairCode, ticks);
    // Trades of the same moment belong to the alert that was met.
    return { row: newRow(userId, { pairCode, direction, price, percent, repeats }, timeMs + 1), ticks };
  }

  async #notify(alert: Waiting, price: string, timeMs: number): Promise<void> {
    const words = describeLetter(alert, price, timeMs);
    const about = { reference: `alert:${alert.id}`, path: `/spot/${alert.pairCode}` };
    await this.#needs.notify(alert.userId, { ...words, ...about }, timeMs);
    await this.#store.markNotified(alert.id);
    await this.#store.trim(alert.userId, FIRED_KEPT);
    const { id, pairCode, direction, createdAtMs, percent, repeats, indicator } = alert;
    const set = { id, pairCode, direction, price: alert.price, percent, repeats, indicator, createdAtMs };
    const answer = { ...set, firedAtMs: timeMs, firedPrice: price };
    this.#needs.publish(alert.userId, answer);
  }

  #take(alert: Waiting): void {
    this.#waiting.set(alert.id, alert);
    this.#counts.set(alert.userId, (this.#counts.get(alert.userId) ?? 0) + 1);
    if (alert.indicator !== null) {
      this.#byCandle.set(alert.id, alert.createdAtMs);
      return;
    }
    let rows = this.#pairs.get(alert.pairCode);
    if (rows === undefined) {
      rows = { rises: new WaitingRow("rises"), falls: new WaitingRow("falls"), seen: 0 };
      this.#pairs.set(alert.pairCode, rows);
    }
    rows[alert.direction].add(alert);
  }

  #drop(alert: Waiting): void {
    if (!this.#waiting.delete(alert.id)) return;
    this.#byCandle.delete(alert.id);
    if (alert.indicator === null) this.#pairs.get(alert.pairCode)?.[alert.direction].remove(alert.id);
    this.#release(alert.userId);
  }

  #release(userId: number): void {
    const left = (this.#counts.get(userId) ?? 0) - 1;
    if (left > 0) this.#counts.set(userId, left);
    else this.#counts.delete(userId);
  }
}

type SetAlert = Pick<Waiting, "pairCode" | "direction" | "price" | "percent" | "repeats">;

function newRow(userId: number, set: SetAlert, timeMs: number): Omit<AlertRow, "id"> {
  const { pairCode, direction, price, percent, repeats } = set;
  return {
    user_id: userId,
    pair_code: pairCode,
    direction,
    price,
    percent,
    indicator: null,
    repeats,
    created_at_ms: timeMs,
    fired_at_ms: null,
    fired_price: null,
    is_told: false,
  };
}

function directionOf(row: AlertRow): Direction {
  return row.direction === "rises" ? "rises" : "falls";
}

function readRow(row: AlertRow, priceTicks: number): Waiting {
  return {
    id: row.id,
    userId: row.user_id,
    pairCode: row.pair_code,
    direction: directionOf(row),
    price: row.price,
    percent: row.percent,
    indicator: readIndicator(row.indicator) ?? null,
    repeats: row.repeats === true,
    priceTicks,
    createdAtMs: row.created_at_ms,
  };
}

function describeRow(row: AlertRow): Alert {
  return {
    id: row.id,
    pairCode: row.pair_code,
    direction: directionOf(row),
    price: row.price,
    percent: row.percent,
    indicator: readIndicator(row.indicator) ?? null,
    repeats: row.repeats === true,
    createdAtMs: row.created_at_ms,
    firedAtMs: row.fired_at_ms,
    firedPrice: row.fired_price,
  };
}
