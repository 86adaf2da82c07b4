// What the security slice says on the wire. The only file of the slice a browser may import.
import { type Static, Type } from "typebox";

const Code = Type.String({ minLength: 6, maxLength: 6, pattern: "^[0-9]+$" });
const Captcha = Type.Record(Type.String({ pattern: "^[a-z_A-Z]{1,32}$" }), Type.String({ maxLength: 2048 }), {
  maxProperties: 8,
});
const Account = Type.String({ minLength: 3, maxLength: 254 });
const Password = Type.String({ minLength: 1, maxLength: 128 });

/** What withdrawals rest for, and how much longer. */
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
  /** A passkey may stand in for the fresh proof. */
  hasPasskeys: Type.Boolean(),
  hasTradePassword: Type.Boolean(),
  antiPhishingCode: Type.Union([Type.String(), Type.Null()]),
  /** What the next change of security will ask for. */
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
  /** From the link in a security mail; without it the signed-in caller's own account is meant. */
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
