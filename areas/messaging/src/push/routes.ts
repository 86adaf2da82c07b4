// REST of push tokens: schema → service → envelope.
import { answer, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { PUSH_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { PushService, PushToken } from "./service.ts";
import { packSubscription } from "./web-subscription.ts";

export interface WebPushOffer {
  /** Browsers subscribe to it. */
  readonly publicKey: string;
  /** Origins of push services beyond the browsers' own. */
  readonly origins: readonly string[];
}

/** An app submits its token at its start, and again after signing in or out. */
const rate = { callsMax: 30, windowMs: 60_000 };

/** `web` is absent where pushes to browsers are switched off. */
export function pushRoutes(service: PushService, web: WebPushOffer | undefined): readonly RouteSpec[] {
  const take = async (body: PushToken, userId: number | null, { locale, timeMs }: RouteContext) => {
    const taken = await service.register(body, { userId, locale }, timeMs);
    return taken.done ? answer(null) : refuseBy(REFUSALS, taken);
  };
  const common = { tag: "push", rate } as const;
  return [
    serve(PUSH_CALLS.private, {
      ...common,
      scope: "user",
      summary: "Sends the account's notices to this phone too",
      handle: ({ body }, context) => take(body, Number(context.userId), context),
    }),
    serve(PUSH_CALLS.public, {
      ...common,
      summary: "Registers this phone for public pushes and removes its previous account",
      handle: ({ body }, context) => take(body, null, context),
    }),
    serve(PUSH_CALLS.webKey, {
      ...common,
      summary: "The key browsers subscribe to for pushes; none where they are switched off",
      handle: async () => answer({ key: web?.publicKey ?? null }),
    }),
    serve(PUSH_CALLS.web, {
      ...common,
      scope: "user",
      summary: "Sends the account's notices to this browser too",
      handle: async ({ body }, context) => {
        const token = web === undefined ? undefined : packSubscription(body, web.origins);
        if (token === undefined) return refuseBy(REFUSALS, { code: "PUSH_UNKNOWN" });
        return take({ token, system: "web" }, Number(context.userId), context);
      },
    }),
  ];
}
