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
      summary: "The exchange's clock and its offset; development only",
      handle: async (_, context) => local(context) ?? answer(clock.read()),
    }),
    serve(CLOCK_CALLS.advance, {
      tag: "clock",
      summary: "Moves the exchange's clock ahead, never back; development only",
      handle: async ({ body }, context) => {
        const refusal = local(context);
        if (refusal !== undefined) return refusal;
        const moved = await clock.advance(body.advanceMs);
        return moved.done ? answer(moved.value) : refuseBy(REFUSALS, moved);
      },
    }),
  ];
}
