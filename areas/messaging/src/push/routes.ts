// REST of push tokens: schema → service → envelope.
import { answer, defineRoute, type RouteContext, type RouteSpec, refuse } from "@clockwork/host/route";
import { Type } from "typebox";
import { PushBody } from "./contract.ts";
import type { PushService } from "./service.ts";

/** An app hands its token over at its start, and again when somebody signs in or out. */
const rate = { callsMax: 30, windowMs: 60_000 };

export function pushRoutes(service: PushService): readonly RouteSpec[] {
  const take = async (body: PushBody, userId: number | null, { locale, timeMs }: RouteContext) => {
    const taken = await service.register(body, { userId, locale }, timeMs);
    if (taken.done) return answer(null);
    return refuse({ code: taken.code, status: 503, message: "No more devices can be registered right now." });
  };
  const common = { method: "POST", tag: "push", body: PushBody, output: Type.Null(), rate } as const;
  return [
    defineRoute({
      ...common,
      path: "/v1/common/push-token/private",
      scope: "user",
      summary: "Sends the account's notices to this phone too",
      handle: ({ body }, context) => take(body, Number(context.userId), context),
    }),
    defineRoute({
      ...common,
      path: "/v1/common/push-token/public",
      summary: "Sends this phone what everybody may hear; whoever it belonged to before no longer does",
      handle: ({ body }, context) => take(body, null, context),
    }),
  ];
}
