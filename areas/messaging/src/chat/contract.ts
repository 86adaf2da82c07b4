// What the chat's sign-in says on the wire. The only file of the slice a browser may import.
import { type Static, Type } from "typebox";

/** visitor: nobody is signed in. ordinary: signed in. verified: with an identity level. operator: works here. */
export const USER_TYPES = ["visitor", "ordinary", "verified", "operator"] as const;
export type UserType = (typeof USER_TYPES)[number];

export const UserTypeAnswer = Type.Object({
  userType: Type.Enum([...USER_TYPES]),
  /** 0 before any check. */
  kycLevel: Type.Integer(),
});

/** What signs a visitor in to the chat of support. */
export const ChatLogin = Type.Object({
  /** False where the operator of this exchange has connected no chat; the forms are then the way. */
  isOpen: Type.Boolean(),
  url: Type.Union([Type.String(), Type.Null()]),
  appId: Type.String(),
  /** Who chats, signed for the chat alone (JWT, HS256); null for visitors who are not signed in. */
  token: Type.Union([Type.String(), Type.Null()]),
  expiresAtMs: Type.Union([Type.Integer(), Type.Null()]),
  userType: Type.Enum([...USER_TYPES]),
});
export type ChatLogin = Static<typeof ChatLogin>;
