// The wire contract of the captcha. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";

/** The response of a solved captcha of any kind: short texts by short names. */
export const CaptchaAnswer = Type.Record(
  Type.String({ pattern: "^[a-z_A-Z]{1,32}$" }),
  Type.String({ maxLength: 2048 }),
  {
    maxProperties: 8,
  },
);
export type CaptchaAnswer = Static<typeof CaptchaAnswer>;

/** One puzzle: `work` is solved by counting, `geetest` by the provider's widget, `off` requires nothing. */
export const CaptchaChallenge = Type.Object({
  kind: Type.Enum(["off", "work", "geetest"]),
  work: Type.Optional(
    Type.Object({ id: Type.String(), salt: Type.String(), zeroBits: Type.Integer({ minimum: 0, maximum: 26 }) }),
  ),
  geetest: Type.Optional(Type.Object({ captchaId: Type.String(), scriptUrl: Type.String() })),
});
export type CaptchaChallenge = Static<typeof CaptchaChallenge>;

export const CAPTCHA_CALLS = {
  challenge: endpoint("POST", "/v2/users/captcha", { body: Type.Object({}), output: CaptchaChallenge }),
};
