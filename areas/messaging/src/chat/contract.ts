// The wire contract of the chat's sign-in. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";

/** visitor: not signed in. ordinary: signed in. verified: with an identity level. operator: works here. */
export const USER_TYPES = ["visitor", "ordinary", "verified", "operator"] as const;
export type UserType = (typeof USER_TYPES)[number];

export const UserTypeAnswer = Type.Object({
  userType: Type.Enum([...USER_TYPES]),
  /** 0 before any check. */
  kycLevel: Type.Integer(),
});

/** own: the chat of this exchange, for signed-in users. outside: a service the operator has connected. */
export const CHAT_PROVIDERS = ["own", "outside"] as const;

/** The sign-in of a visitor to the support chat. */
export const ChatLogin = Type.Object({
  provider: Type.Enum([...CHAT_PROVIDERS]),
  /** Whether the caller may chat now: the exchange's own chat requires visitors to sign in first. */
  isOpen: Type.Boolean(),
  /** The private channel of the socket that announces new messages; own chat only. */
  channel: Type.Union([Type.String(), Type.Null()]),
  /** The address of the chat; outside chats only. */
  url: Type.Union([Type.String(), Type.Null()]),
  appId: Type.String(),
  /** The user, signed for the chat only (JWT, HS256); null for visitors who are not signed in. */
  token: Type.Union([Type.String(), Type.Null()]),
  expiresAtMs: Type.Union([Type.Integer(), Type.Null()]),
  userType: Type.Enum([...USER_TYPES]),
});
export type ChatLogin = Static<typeof ChatLogin>;

export const CHAT_LOGIN_CALLS = {
  userType: endpoint("GET", "/v1/common/user-type", { bases: ["spot", "futures"], output: UserTypeAnswer }),
  login: endpoint("GET", "/v1/common/chat-login-data", { bases: ["spot", "futures"], output: ChatLogin }),
};
