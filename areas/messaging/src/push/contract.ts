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

export const PUSH_CALLS = {
  private: endpoint("POST", "/v1/common/push-token/private", {
    body: PushBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  public: endpoint("POST", "/v1/common/push-token/public", { body: PushBody, output: Type.Null(), refusals: REFUSALS }),
};
