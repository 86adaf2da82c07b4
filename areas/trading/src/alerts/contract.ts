// The wire contract of price alerts. The only file of the slice a browser may import. Prices are exact decimal text.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const PairCode = Type.String({ pattern: "^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$", maxLength: 25 });
const Direction = Type.Union([Type.Literal("rises"), Type.Literal("falls")]);

const Percent = Type.String({ pattern: "^-?(0|[1-9][0-9]?)(\\.[0-9]{1,2})?$", maxLength: 6 });

const Interval = Type.Union([
  Type.Literal("5m"),
  Type.Literal("15m"),
  Type.Literal("1h"),
  Type.Literal("4h"),
  Type.Literal("1d"),
]);
const Period = Type.Integer({ minimum: 2, maximum: 100 });
/** Evaluated when a candle closes: relative strength reaching a level, or a fast average crossing a slow one. */
export const Indicator = Type.Union([
  Type.Object(
    {
      name: Type.Literal("rsi"),
      interval: Interval,
      period: Period,
      level: Type.Integer({ minimum: 1, maximum: 99 }),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    { name: Type.Literal("ma"), interval: Interval, fast: Period, slow: Type.Integer({ minimum: 2, maximum: 200 }) },
    { additionalProperties: false },
  ),
]);
export type Indicator = Static<typeof Indicator>;

/** By price, or by distance from the last price; the latter may repeat from the price that met it. */
export const AlertBody = Type.Object({
  pairCode: PairCode,
  price: Type.Optional(Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 })),
  percent: Type.Optional(Percent),
  /** Instead of a price; needs a direction. */
  indicator: Type.Optional(Indicator),
  repeats: Type.Optional(Type.Boolean()),
  /** Left out: the way from the last price to this one. */
  direction: Type.Optional(Direction),
});
export type AlertBody = Static<typeof AlertBody>;

export const AlertParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
export const AlertQuery = Type.Object({ pairCode: Type.Optional(PairCode) });

export const Alert = Type.Object({
  id: Type.Integer(),
  pairCode: Type.String(),
  direction: Direction,
  price: Type.String(),
  percent: Type.Union([Type.String(), Type.Null()]),
  /** The indicator watched instead of the price; the price is then the last one when the alert was set. */
  indicator: Type.Union([Indicator, Type.Null()]),
  repeats: Type.Boolean(),
  createdAtMs: Type.Integer(),
  /** When it was met and at which price; null while waiting. */
  firedAtMs: Type.Union([Type.Integer(), Type.Null()]),
  firedPrice: Type.Union([Type.String(), Type.Null()]),
});
export type Alert = Static<typeof Alert>;

/** Waiting alerts, then the latest that were met, newest first. */
export const AlertList = Type.Object({ waiting: Type.Array(Alert), fired: Type.Array(Alert) });
export type AlertList = Static<typeof AlertList>;

/** The private stream that publishes an alert as soon as it is met. */
export const ALERTS_CHANNEL = "alerts";

export const ALERT_CALLS = {
  list: endpoint("GET", "/v1/alerts", { query: AlertQuery, output: AlertList }),
  add: endpoint("POST", "/v1/alerts", { body: AlertBody, output: Alert, refusals: REFUSALS }),
  remove: endpoint("DELETE", "/v1/alerts/:id", { params: AlertParams, output: Type.Null(), refusals: REFUSALS }),
};
