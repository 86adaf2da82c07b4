// REST of the support chat: schema → service → envelope. For sessions alone: programs have no questions.

import { answer, defineRoute, type Outcome, type RouteSpec, refuseBy } from "@clockwork/host/route";
import { present } from "@clockwork/kit/assert";
import { MIXED_WORDS, PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import type { Result } from "@clockwork/kit/result";
import { Type } from "typebox";
import type { ChatRefusal, SupportChat } from "./chat-service.ts";
import {
  ATTACHMENT_BYTES_MAX,
  CHAT_FILE_NAME,
  CHAT_PATHS,
  Chat,
  ChatBody,
  ChatFileQuery,
  ChatMessage,
  ChatPictureQuery,
  ChatQuery,
  ChatReadBody,
  ConsoleFile,
} from "./contract.ts";
import { readName } from "./routes.ts";

const REFUSALS: Readonly<Record<ChatRefusal, readonly [number, string]>> = {
  CHAT_EMPTY: [409, "Write a message before you send a picture."],
  CHATS_TOO_MANY: [429, "You have begun many conversations today; please use a support form."],
  ATTACHMENT_MIXED: [400, MIXED_WORDS],
  ATTACHMENT_INVALID: [400, "Attach JPEG, PNG or WebP pictures of at most 3 MB."],
  ATTACHMENT_BUSY: [503, "Too many pictures are being drawn at this moment; send it again shortly."],
  ATTACHMENTS_FULL: [409, "A conversation holds three pictures."],
  FILE_UNKNOWN: [404, "There is no such picture."],
};

const told = <Value>(result: Result<Value, ChatRefusal>): Outcome<Value> =>
  result.done ? answer(result.value) : refuseBy(REFUSALS, result);

export function chatMessageRoutes(chat: SupportChat): readonly RouteSpec[] {
  const own = { tag: "support", scope: "user" } as const;
  return [
    defineRoute({
      ...own,
      method: "GET",
      path: CHAT_PATHS.chat,
      summary: "The caller's messages with support, in their order; without `after` or `before` the newest",
      query: ChatQuery,
      output: Chat,
      handle: async ({ query }, { userId }) => answer(await chat.read(Number(userId), query)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: CHAT_PATHS.chat,
      summary: "Writes to support; repeated with the same id it is the same message",
      body: ChatBody,
      output: ChatMessage,
      rate: { callsMax: 60, windowMs: 600_000 },
      handle: async ({ body }, { userId, timeMs }) =>
        told(await chat.write(Number(userId), body.text, body.clientId, timeMs)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: CHAT_PATHS.picture,
      summary: "Sends a picture into the open conversation; the header x-file-name names it",
      query: ChatPictureQuery,
      file: { bytesMax: ATTACHMENT_BYTES_MAX, mediaTypes: PICTURE_MEDIA_TYPES },
      output: ChatMessage,
      rate: { callsMax: 30, windowMs: 600_000 },
      handle: async ({ query, file }, { userId, timeMs, header }) =>
        told(
          await chat.attach(
            { userId: Number(userId), clientId: query.clientId, timeMs },
            { name: readName(header(CHAT_FILE_NAME) ?? ""), file: present(file, "USR-8", "no file") },
          ),
        ),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: CHAT_PATHS.read,
      summary: "Says up to which message the caller has read",
      body: ChatReadBody,
      output: Type.Null(),
      handle: async ({ body }, { userId }) => {
        await chat.markRead(Number(userId), body.id);
        return answer(null);
      },
    }),
    defineRoute({
      ...own,
      method: "GET",
      path: CHAT_PATHS.file,
      summary: "A picture of the caller's conversations",
      query: ChatFileQuery,
      output: ConsoleFile,
      handle: async ({ query }, { userId }) => told(await chat.readFile(Number(userId), query.id)),
    }),
  ];
}
