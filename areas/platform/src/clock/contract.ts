// The wire contract of the clock: only the default run lets users move it.
import { endpoint } from "@clockwork/kit/endpoint";
import { DAY_MS } from "@clockwork/kit/time";
import { Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

export const ADVANCE_MS_MAX = 366 * DAY_MS;

export const AdvanceBody = Type.Object(
  { advanceMs: Type.Integer({ minimum: 1, maximum: ADVANCE_MS_MAX }) },
  { additionalProperties: false },
);

export const ClockState = Type.Object({
  nowMs: Type.Integer(),
  /** How far it was moved ahead of the machine's clock. */
  aheadMs: Type.Integer(),
  /** The drift of the machine's clock; far from 0 when it was set. */
  wallDriftMs: Type.Integer(),
});
export type ClockState = Type.Static<typeof ClockState>;

const bases = ["root"] as const;

export const CLOCK_CALLS = {
  read: endpoint("GET", "/dev/clock", { output: ClockState, refusals: REFUSALS, bases }),
  advance: endpoint("POST", "/dev/clock", { body: AdvanceBody, output: ClockState, refusals: REFUSALS, bases }),
};
