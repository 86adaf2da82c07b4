// REST around the chat: schema → service → envelope. Public: a visitor is told that nobody is signed in.
import { answer, defineRoute, type RouteContext, type RouteSpec } from "@clockwork/host/route";
import { ChatLogin, UserTypeAnswer } from "./contract.ts";
import type { ChatService } from "./service.ts";

const numberOf = ({ userId }: RouteContext): number | null => (userId === null ? null : Number(userId));

export function chatRoutes(service: ChatService): readonly RouteSpec[] {
  const open = { method: "GET", tag: "support", bases: ["spot", "futures"] } as const;
  return [
    defineRoute({
      ...open,
      path: "/v1/common/user-type",
      summary: "Who the caller is to the exchange: visitor, ordinary, verified or operator",
      output: UserTypeAnswer,
      handle: async (_, context) => answer(await service.readUserType(numberOf(context), context.timeMs)),
    }),
    defineRoute({
      ...open,
      path: "/v1/common/chat-login-data",
      summary: "What signs the caller in to the support chat, good for five minutes",
      output: ChatLogin,
      rate: { callsMax: 60, windowMs: 600_000 },
      handle: async (_, context) => answer(await service.readLogin(numberOf(context), context.locale, context.timeMs)),
    }),
  ];
}
