// The wire contract of push tokens. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/** In the form the systems use: letters, digits and a few signs. */
export const PushBody = Type.Object({
  token: Type.String({ minLength: 16, maxLength: 512, pattern: "^[A-Za-z0-9_.:=-]+$" }),
  system: Type.Enum(["ios", "android", "flutter"]),
});
export type PushBody = Static<typeof PushBody>;

const Base64Url = { pattern: "^[A-Za-z0-9_-]+$" } as const;

/** A browser's subscription, as `PushSubscription.toJSON` gives it. */
export const WebPushBody = Type.Object({
  endpoint: Type.String({ minLength: 12, maxLength: 1024 }),
  p256dh: Type.String({ minLength: 80, maxLength: 96, ...Base64Url }),
  auth: Type.String({ minLength: 16, maxLength: 32, ...Base64Url }),
});
export type WebPushBody = Static<typeof WebPushBody>;

export const PUSH_CALLS = {
  private: endpoint("POST", "/v1/common/push-token/private", {
    body: PushBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  public: endpoint("POST", "/v1/common/push-token/public", { body: PushBody, output: Type.Null(), refusals: REFUSALS }),
  webKey: endpoint("GET", "/v1/common/push-token/web-key", {
    output: Type.Object({ key: Type.Union([Type.String(), Type.Null()]) }),
    refusals: REFUSALS,
  }),
  web: endpoint("POST", "/v1/common/push-token/web", {
    body: WebPushBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
};
