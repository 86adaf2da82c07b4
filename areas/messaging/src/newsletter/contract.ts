// The wire contract of the newsletter's sign-up. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

export const NewsletterBody = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254 }),
    /** The page of the form: home, newsletter… */
    source: Type.Optional(Type.String({ maxLength: 32, pattern: "^[a-z][a-z0-9-]*$" })),
    captcha: Type.Optional(
      Type.Record(Type.String({ pattern: "^[a-z_A-Z]{1,32}$" }), Type.String({ maxLength: 2048 }), {
        maxProperties: 8,
      }),
    ),
  },
  { additionalProperties: false },
);
export type NewsletterBody = Static<typeof NewsletterBody>;

/** Travels in the body: addresses end up in histories and logs. */
export const TokenBody = Type.Object(
  { token: Type.String({ pattern: "^[A-Za-z0-9_-]{20,64}$", maxLength: 64 }) },
  { additionalProperties: false },
);

/** The secret of the confirmation, or the longer one of an issue. */
const LeaveToken = Type.String({ pattern: "^[A-Za-z0-9_-]{20,600}$", maxLength: 600 });
export const LeaveBody = Type.Object({ token: LeaveToken }, { additionalProperties: false });

export const OneClickQuery = Type.Object({ token: LeaveToken });
export const OneClickBody = Type.Object({ "List-Unsubscribe": Type.Optional(Type.Literal("One-Click")) });

export const SubscriberQuery = Type.Object({
  /** Addresses after this one, by the alphabet; the `next` of the page before. */
  after: Type.Optional(Type.String({ maxLength: 254 })),
});
export const SubscriberPage = Type.Object({
  confirmed: Type.Integer(),
  waiting: Type.Integer(),
  subscribers: Type.Array(
    Type.Object({ email: Type.String(), source: Type.String(), locale: Type.String(), confirmedAtMs: Type.Integer() }),
  ),
  next: Type.Union([Type.String(), Type.Null()]),
});
export type SubscriberPage = Static<typeof SubscriberPage>;

export const NEWSLETTER_CALLS = {
  signUp: endpoint("POST", "/v1/common/marketing/sign-up", {
    output: Type.Null(),
    body: NewsletterBody,
    refusals: REFUSALS,
  }),
  confirm: endpoint("POST", "/v1/common/marketing/confirm", {
    output: Type.Null(),
    body: TokenBody,
    refusals: REFUSALS,
  }),
  leave: endpoint("POST", "/v1/common/marketing/leave", { output: Type.Null(), body: LeaveBody, refusals: REFUSALS }),
  oneClick: endpoint("POST", "/v1/common/marketing/one-click", {
    output: Type.Null(),
    query: OneClickQuery,
    body: OneClickBody,
    refusals: REFUSALS,
  }),
  subscribers: endpoint("GET", "/v2/operators/newsletter", { query: SubscriberQuery, output: SubscriberPage }),
};
