// REST of the support chat: schema → service → envelope. Sessions only, no API keys.

import { answer, type Outcome, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { present } from "@clockwork/kit/assert";
import { PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import type { Result } from "@clockwork/kit/result";
import type { SupportChat } from "./chat-service.ts";
import { ATTACHMENT_BYTES_MAX, CHAT_CALLS, CHAT_FILE_NAME } from "./contract.ts";
import { CHAT_REFUSALS, type ChatRefusal } from "./refusals.ts";
import { readName } from "./routes.ts";

const outcome = <Value>(result: Result<Value, ChatRefusal>): Outcome<Value, ChatRefusal> =>
  result.done ? answer(result.value) : refuseBy(CHAT_REFUSALS, result);

export function chatMessageRoutes(chat: SupportChat): readonly RouteSpec[] {
  const own = { tag: "support", scope: "user" } as const;
  return [
    serve(CHAT_CALLS.read, {
      ...own,
      summary: "The caller's messages with support, in their order; without `after` or `before` the newest",
      handle: async ({ query }, { userId }) => answer(await chat.read(Number(userId), query)),
    }),
    serve(CHAT_CALLS.write, {
      ...own,
      summary: "Writes to support; repeated with the same id it is the same message",
      rate: { callsMax: 60, windowMs: 600_000 },
      handle: async ({ body }, { userId, timeMs }) =>
        outcome(await chat.write(Number(userId), body.text, body.clientId, timeMs)),
    }),
    serve(CHAT_CALLS.picture, {
      ...own,
      summary: "Sends a picture into the open conversation; the header x-file-name names it",
      file: { bytesMax: ATTACHMENT_BYTES_MAX, mediaTypes: PICTURE_MEDIA_TYPES },
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ query, file }, { userId, timeMs, header }) =>
        outcome(
          await chat.attach(
            { userId: Number(userId), clientId: query.clientId, timeMs },
            { name: readName(header(CHAT_FILE_NAME) ?? ""), file: present(file, "USR-8", "no file") },
          ),
        ),
    }),
    serve(CHAT_CALLS.markRead, {
      ...own,
      summary: "Says up to which message the caller has read",
      handle: async ({ body }, { userId }) => {
        await chat.markRead(Number(userId), body.id);
        return answer(null);
      },
    }),
    serve(CHAT_CALLS.file, {
      ...own,
      summary: "A picture of the caller's conversations",
      handle: async ({ query }, { userId }) => outcome(await chat.readFile(Number(userId), query.id)),
    }),
  ];
}
