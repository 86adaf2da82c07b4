// REST of broadcasts for operators: schema → service → envelope. Sending and stopping is written into the audit log
// first.
import type { Audit } from "@clockwork/host/audit";
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { BROADCAST_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { BroadcastService } from "./service.ts";

export function broadcastRoutes(service: BroadcastService, audit: Audit): readonly RouteSpec[] {
  const own = { tag: "broadcasts", scope: { operator: "broadcasts.send" } } as const;
  return [
    serve(BROADCAST_CALLS.list, {
      ...own,
      summary: "For editors: broadcasts, the latest first, and how many would receive one",
      handle: async () => answer(await service.list()),
    }),
    serve(BROADCAST_CALLS.preview, {
      ...own,
      summary: "For editors: a broadcast as a reader of a language gets it",
      bodyBytesMax: 1_048_576,
      handle: async ({ body }) => {
        const made = service.preview(body.words, body.locale);
        return made.done ? answer(made.value) : refuseBy(REFUSALS, made);
      },
    }),
    serve(BROADCAST_CALLS.send, {
      ...own,
      summary: "For editors: sends a broadcast now or at a time; repeated with the same id it is the same one",
      bodyBytesMax: 1_048_576,
      handle: async ({ body }, context) => {
        await audit.record(context, "broadcast.send", body.audience, body.words.en_US?.subject ?? "");
        const sent = await service.send(body, Number(context.userId), context.timeMs);
        return sent.done ? answer(sent.value) : refuseBy(REFUSALS, sent);
      },
    }),
    serve(BROADCAST_CALLS.cancel, {
      ...own,
      summary: "For editors: stops a broadcast; who was sent it keeps it",
      handle: async ({ body }, context) => {
        await audit.record(context, "broadcast.cancel", String(body.number), "");
        const stopped = await service.cancel(body.number, context.timeMs);
        return stopped.done ? answer(null) : refuseBy(REFUSALS, stopped);
      },
    }),
  ];
}
