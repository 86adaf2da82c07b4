// The wire contract of the console's overview and of its queues. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";

export const CONSOLE_PERMISSION = "console.open";
export const OVERVIEW_PERMISSION = "overview.read";

const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);

export const QUEUES = ["withdrawals", "identity", "otc", "merchants", "leaders", "tickets", "proposals"] as const;
export type QueueName = (typeof QUEUES)[number];

export const Queue = Type.Object({
  queue: Type.Enum([...QUEUES]),
  /** What an operator has to act on; counted up to 1 000. */
  count: Type.Integer(),
  oldestMs: OrNull(Type.Integer()),
  /** What users are promised; null where nothing is. */
  promiseMs: OrNull(Type.Integer()),
});
export type Queue = Static<typeof Queue>;
export const Queues = Type.Object({
  /** Those the caller's role may act on. */
  queues: Type.Array(Queue),
  core: Type.Object({
    state: Type.Enum(["starting", "replaying", "running", "halted"]),
    sequence: Type.Integer(),
  }),
  nowMs: Type.Integer(),
});
export type Queues = Static<typeof Queues>;

export const FIGURES = [
  "accounts",
  "active",
  "spotVolume",
  "futuresVolume",
  "spotFees",
  "futuresFees",
  "deposits",
  "withdrawals",
  "openInterest",
  "insuranceFund",
] as const;
export type FigureName = (typeof FIGURES)[number];

export const SPANS = { "24h": 24, "7d": 168, "30d": 720 } as const;
export const OverviewQuery = Type.Object({ span: Type.Optional(Type.Enum(["24h", "7d", "30d"])) });
export const Overview = Type.Object({
  span: Type.Enum(["24h", "7d", "30d"]),
  /** Of whole hours, the current one included, the oldest first. */
  hours: Type.Array(Type.Integer()),
  figures: Type.Array(
    Type.Object({
      figure: Type.Enum([...FIGURES]),
      /** Over the span: the sum of what flows, the newest of what is a level; null while nothing was measured. */
      total: OrNull(Type.String()),
      /** The same over the span before. */
      before: OrNull(Type.String()),
      /** By hour; null where it was not measured. */
      values: Type.Array(OrNull(Type.String())),
    }),
  ),
  accountsInAll: Type.Integer(),
  /** When the newest figures were computed. */
  computedAtMs: OrNull(Type.Integer()),
});
export type Overview = Static<typeof Overview>;

export const OVERVIEW_CALLS = {
  queues: endpoint("GET", "/v2/operators/queues", { output: Queues }),
  read: endpoint("GET", "/v2/operators/overview", { query: OverviewQuery, output: Overview }),
};
