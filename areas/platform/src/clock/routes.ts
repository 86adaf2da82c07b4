// REST of the clock, at the root, in the default run and only from this machine.
import { answer, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { CLOCK_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { ClockService } from "./service.ts";

export function clockRoutes(clock: ClockService): readonly RouteSpec[] {
  const local = ({ ip }: RouteContext) =>
    ip === "::1" || ip.startsWith("127.") ? undefined : refuseBy(REFUSALS, { code: "LOCAL_ONLY" });
  return [
    serve(CLOCK_CALLS.read, {
      tag: "clock",
      summary: "What time it is at the exchange, and how far that was moved; the default run alone has it",
      handle: async (_, context) => local(context) ?? answer(clock.read()),
    }),
    serve(CLOCK_CALLS.advance, {
      tag: "clock",
      summary: "Moves the exchange's clock ahead, never back: whatever waits for a time happens; the default run alone",
      handle: async ({ body }, context) => {
        const refusal = local(context);
        if (refusal !== undefined) return refusal;
        const moved = await clock.advance(body.advanceMs);
        return moved.done ? answer(moved.value) : refuseBy(REFUSALS, moved);
      },
    }),
  ];
}
