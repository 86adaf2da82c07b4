// REST around the chat: schema → service → envelope. Public: for visitors the user type is `visitor`.
import { answer, type RouteContext, type RouteSpec, serve } from "@clockwork/host/route";
import { CHAT_LOGIN_CALLS } from "./contract.ts";
import type { ChatService } from "./service.ts";

const numberOf = ({ userId }: RouteContext): number | null => (userId === null ? null : Number(userId));

export function chatRoutes(service: ChatService): readonly RouteSpec[] {
  const open = { tag: "support" } as const;
  return [
    serve(CHAT_LOGIN_CALLS.userType, {
      ...open,
      summary: "Who the caller is to the exchange: visitor, ordinary, verified or operator",
      handle: async (_, context) => answer(await service.readUserType(numberOf(context), context.timeMs)),
    }),
    serve(CHAT_LOGIN_CALLS.login, {
      ...open,
      summary: "What signs the caller in to the support chat, good for five minutes",
      rate: { callsMax: 60, windowMs: 600_000 },
      handle: async (_, context) => answer(await service.readLogin(numberOf(context), context.locale, context.timeMs)),
    }),
  ];
}
