// REST of the clock, at the root, in the default run and for this machine alone.
import { answer, defineRoute, type RouteContext, type RouteSpec, refuse, refuseBy } from "@clockwork/host/route";
import { AdvanceBody, ClockState } from "./contract.ts";
import type { ClockService } from "./service.ts";

const PATH = "/dev/clock";
const OWN = { tag: "clock", path: PATH, bases: ["root"], output: ClockState } as const;
const REFUSALS = { CLOCK_TOO_FAR: [409, "Ten years ahead is enough."] } as const;

export function clockRoutes(clock: ClockService): readonly RouteSpec[] {
  const local = ({ ip }: RouteContext) =>
    ip === "::1" || ip.startsWith("127.")
      ? undefined
      : refuse({ code: "LOCAL_ONLY", status: 403, message: "Only from the machine the exchange runs on." });
  return [
    defineRoute({
      ...OWN,
      method: "GET",
      summary: "What time it is at the exchange, and how far that was moved; the default run alone has it",
      handle: async (_, context) => local(context) ?? answer(clock.read()),
    }),
    defineRoute({
      ...OWN,
      method: "POST",
      summary: "Moves the exchange's clock ahead, never back: whatever waits for a time happens; the default run alone",
      body: AdvanceBody,
      handle: async ({ body }, context) => {
        const refusal = local(context);
        if (refusal !== undefined) return refusal;
        const moved = await clock.advance(body.advanceMs);
        return moved.done ? answer(moved.value) : refuseBy(REFUSALS, moved);
      },
    }),
  ];
}
