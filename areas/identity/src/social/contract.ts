// The wire contract of social sign-in. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import type { Factor } from "../sessions/contract.ts";
import { REFUSALS } from "./refusals.ts";

const Provider = Type.String({ minLength: 2, maxLength: 16, pattern: "^[a-z]+$" });
const Secret = Type.String({ minLength: 16, maxLength: 64, pattern: "^[A-Za-z0-9_-]+$" });

export const ProviderList = Type.Object({ providers: Type.Array(Type.String()) });
export const BeginBody = Type.Object({ provider: Provider });
/** Where to go, and what to return in addition to the provider's answer. */
export const Started = Type.Object({ url: Type.String(), secret: Type.String() });
export type Started = Static<typeof Started>;

export const FinishBody = Type.Object({
  secret: Secret,
  /** The query of the provider's redirect, unchanged. */
  query: Type.String({ minLength: 1, maxLength: 4096 }),
  staySignedIn: Type.Optional(Type.Boolean()),
  /** Requested by a signed-in user: the answer is a ticket to link with, never another session. */
  isLinking: Type.Optional(Type.Boolean()),
});

/**
 * Signed in, in need of another step as in a sign-in with a password, or proved but not linked to an account
 * (linkTicket).
 */
export const Finished = Type.Object({
  id: Type.Optional(Type.String()),
  next: Type.Optional(Type.Array(Type.Unsafe<Factor>(Type.String()))),
  ticket: Type.Optional(Type.String()),
  sentTo: Type.Optional(Type.String()),
  linkTicket: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  /** An account here has that address: its owner must link it, no second one is opened. */
  isKnown: Type.Optional(Type.Boolean()),
});
export type Finished = Static<typeof Finished>;

/** A new account with the address the other site has proved. */
export const SocialSignUpBody = Type.Object({
  linkTicket: Secret,
  password: Type.String({ minLength: 1, maxLength: 64 }),
  country: Type.Optional(Type.String({ maxLength: 2, pattern: "^[A-Z]{2}$" })),
  inviteCode: Type.Optional(Type.String({ maxLength: 32 })),
});
export type SocialSignUpBody = Static<typeof SocialSignUpBody>;
export const SocialSignedUp = Type.Object({ id: Type.String() });

export const LinkBody = Type.Object({ linkTicket: Secret });
export const UnlinkBody = Type.Object({ provider: Provider });
export const LinkList = Type.Object({
  links: Type.Array(Type.Object({ provider: Type.String(), email: Type.String(), linkedAtMs: Type.Integer() })),
});
export type LinkList = Static<typeof LinkList>;

export const SOCIAL_CALLS = {
  providers: endpoint("GET", "/v2/users/social/providers", { output: ProviderList }),
  begin: endpoint("POST", "/v2/users/social/begin", { body: BeginBody, output: Started, refusals: REFUSALS }),
  finish: endpoint("POST", "/v2/users/social/finish", { body: FinishBody, output: Finished, refusals: REFUSALS }),
  signUp: endpoint("POST", "/v2/users/social/sign-up", {
    body: SocialSignUpBody,
    output: SocialSignedUp,
    refusals: REFUSALS,
  }),
  links: endpoint("GET", "/v2/users/social/links", { output: LinkList }),
  link: endpoint("POST", "/v2/users/social/link", { body: LinkBody, output: Type.Null(), refusals: REFUSALS }),
  unlink: endpoint("POST", "/v2/users/social/unlink", { body: UnlinkBody, output: Type.Null(), refusals: REFUSALS }),
};
