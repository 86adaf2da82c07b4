// The wire contract of the security slice. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Code = Type.String({ minLength: 6, maxLength: 6, pattern: "^[0-9]+$" });
const Captcha = Type.Record(Type.String({ pattern: "^[a-z_A-Z]{1,32}$" }), Type.String({ maxLength: 2048 }), {
  maxProperties: 8,
});
const Account = Type.String({ minLength: 3, maxLength: 254 });
const Password = Type.String({ minLength: 1, maxLength: 128 });

/** Why withdrawals are suspended, and for how much longer. */
export const Lock = Type.Object({
  cause: Type.String(),
  endsAtMs: Type.Integer(),
  leftMs: Type.Integer(),
});
export type Lock = Static<typeof Lock>;

export const Overview = Type.Object({
  email: Type.Union([Type.String(), Type.Null()]),
  phone: Type.Union([Type.String(), Type.Null()]),
  hasTotp: Type.Boolean(),
  /** A passkey may replace the fresh proof. */
  hasPasskeys: Type.Boolean(),
  hasTradePassword: Type.Boolean(),
  antiPhishingCode: Type.Union([Type.String(), Type.Null()]),
  /** The proof the next change of security requires. */
  stepUp: Type.Enum(["totp", "email", "phone"]),
  isVerified: Type.Boolean(),
  withdrawalLocks: Type.Array(Lock),
});
export type Overview = Static<typeof Overview>;

export const StepUpBody = Type.Object({
  codes: Type.Object({
    totp: Type.Optional(Code),
    email: Type.Optional(Code),
    phone: Type.Optional(Code),
  }),
});
export type StepUpBody = Static<typeof StepUpBody>;
export const StepUpCodeBody = Type.Object({ captcha: Type.Optional(Captcha) });
export const CodeSent = Type.Object({ sentTo: Type.String(), resendSeconds: Type.Integer() });
export type CodeSent = Static<typeof CodeSent>;

export const TotpSecret = Type.Object({ secret: Type.String(), uri: Type.String() });
export type TotpSecret = Static<typeof TotpSecret>;
export const TotpBody = Type.Object({ code: Code });

export const TradePasswordBody = Type.Object({ password: Password });
export const AntiPhishingBody = Type.Object({
  code: Type.String({ minLength: 4, maxLength: 20, pattern: "^[A-Za-z0-9]+$" }),
});

export const FreezeBody = Type.Object({
  /** From the link in a security mail; without it the signed-in caller's own account. */
  token: Type.Optional(Type.String({ minLength: 16, maxLength: 128, pattern: "^[A-Za-z0-9._-]+$" })),
});
export const ReleaseCodeBody = Type.Object({ account: Account, captcha: Type.Optional(Captcha) });
export const ReleaseBody = Type.Object({
  account: Account,
  password: Password,
  code: Code,
  totp: Type.Optional(Code),
  captcha: Type.Optional(Captcha),
});
export type ReleaseBody = Static<typeof ReleaseBody>;
export const ReleaseSent = Type.Object({ resendSeconds: Type.Integer() });

export const SECURITY_CALLS = {
  overview: endpoint("GET", "/v2/users/security/overview", { output: Overview, refusals: REFUSALS }),
  locks: endpoint("GET", "/v2/users/security/locks", { output: Type.Array(Lock) }),
  stepUpCode: endpoint("POST", "/v2/users/security/step-up/code", {
    body: StepUpCodeBody,
    output: CodeSent,
    refusals: REFUSALS,
  }),
  stepUp: endpoint("POST", "/v2/users/security/step-up", { body: StepUpBody, output: Type.Null(), refusals: REFUSALS }),
  beginTotp: endpoint("POST", "/v2/users/security/totp/begin", {
    body: Type.Object({}),
    output: TotpSecret,
    refusals: REFUSALS,
  }),
  bindTotp: endpoint("POST", "/v2/users/security/totp/bind", {
    body: TotpBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  removeTotp: endpoint("POST", "/v2/users/security/totp/remove", {
    body: TotpBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  setTradePassword: endpoint("POST", "/v2/users/security/trade-password/set", {
    body: TradePasswordBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  setAntiPhishing: endpoint("POST", "/v2/users/security/anti-phishing/set", {
    body: AntiPhishingBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  close: endpoint("POST", "/v2/users/security/close", { output: Type.Null(), refusals: REFUSALS }),
  freeze: endpoint("POST", "/v2/users/security/freeze", { body: FreezeBody, output: Type.Null(), refusals: REFUSALS }),
  releaseCode: endpoint("POST", "/v2/users/risk-control/release/code", {
    body: ReleaseCodeBody,
    output: ReleaseSent,
    refusals: REFUSALS,
  }),
  release: endpoint("POST", "/v2/users/risk-control/release", {
    body: ReleaseBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
};
