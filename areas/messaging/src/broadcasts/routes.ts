// REST of broadcasts for operators: schema → service → envelope. What is sent or stopped is written into the audit log first.
import type { Audit } from "@clockwork/host/audit";
import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import { Type } from "typebox";
import {
  BROADCAST_PATHS,
  Broadcast,
  BroadcastBody,
  BroadcastPreview,
  BroadcastTable,
  CancelBody,
  PreviewBody,
} from "./contract.ts";
import type { BroadcastRefusal, BroadcastService } from "./service.ts";

const REFUSALS: Readonly<Record<BroadcastRefusal, readonly [number, string]>> = {
  ENGLISH_REQUIRED: [400, "English words are needed: readers of other languages are sent them."],
  SENDER_MISSING: [409, "No mail server or push gateway is configured for this audience."],
  CLIENT_ID_REUSED: [409, "This id names another broadcast."],
  BROADCAST_UNKNOWN: [404, "There is no broadcast of this number that could be stopped."],
};

export function broadcastRoutes(service: BroadcastService, audit: Audit): readonly RouteSpec[] {
  const own = { tag: "broadcasts", scope: { operator: "broadcasts.send" } } as const;
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: BROADCAST_PATHS.list,
      summary: "For editors: broadcasts, the latest first, and how many would receive one",
      output: BroadcastTable,
      handle: async () => answer(await service.list()),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: BROADCAST_PATHS.preview,
      summary: "For editors: a broadcast as a reader of a language gets it",
      body: PreviewBody,
      bodyBytesMax: 1_048_576,
      output: BroadcastPreview,
      handle: async ({ body }) => {
        const made = service.preview(body.words, body.locale);
        return made.done ? answer(made.value) : refuseBy(REFUSALS, made);
      },
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: BROADCAST_PATHS.send,
      summary: "For editors: sends a broadcast now or at a time; repeated with the same id it is the same one",
      body: BroadcastBody,
      bodyBytesMax: 1_048_576,
      output: Broadcast,
      handle: async ({ body }, context) => {
        await audit.record(context, "broadcast.send", body.audience, body.words.en_US?.subject ?? "");
        const sent = await service.send(body, Number(context.userId), context.timeMs);
        return sent.done ? answer(sent.value) : refuseBy(REFUSALS, sent);
      },
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: BROADCAST_PATHS.cancel,
      summary: "For editors: stops a broadcast; who was sent it keeps it",
      body: CancelBody,
      output: Type.Null(),
      handle: async ({ body }, context) => {
        await audit.record(context, "broadcast.cancel", String(body.number), "");
        const stopped = await service.cancel(body.number, context.timeMs);
        return stopped.done ? answer(null) : refuseBy(REFUSALS, stopped);
      },
    }),
  ];
}
