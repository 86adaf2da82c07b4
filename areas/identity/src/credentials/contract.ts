// The wire contract of passwords and contacts. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Account = Type.String({ minLength: 3, maxLength: 254 });
const Password = Type.String({ minLength: 1, maxLength: 128 });
const Code = Type.String({ minLength: 6, maxLength: 6, pattern: "^[0-9]+$" });
const Captcha = Type.Record(Type.String({ pattern: "^[a-z_A-Z]{1,32}$" }), Type.String({ maxLength: 2048 }), {
  maxProperties: 8,
});
const Ticket = Type.String({ minLength: 16, maxLength: 64, pattern: "^[A-Za-z0-9_-]+$" });

export const CodeBody = Type.Object({ account: Account, captcha: Type.Optional(Captcha) });
export const CodeSent = Type.Object({ resendSeconds: Type.Integer() });
export type CodeSent = Static<typeof CodeSent>;

export const ForgetValidateBody = Type.Object({ account: Account, code: Code });
export const ForgetTicket = Type.Object({ ticket: Type.String(), needsTotp: Type.Boolean() });
export type ForgetTicket = Static<typeof ForgetTicket>;
export const ForgetResetBody = Type.Object({ ticket: Ticket, password: Password, totp: Type.Optional(Code) });
export const PasswordChangeBody = Type.Object({ oldPassword: Password, newPassword: Password });
export const ContactBody = Type.Object({ account: Account, code: Code });

export const CREDENTIAL_CALLS = {
  forgetCode: endpoint("POST", "/v2/users/forget/code", { body: CodeBody, output: CodeSent, refusals: REFUSALS }),
  forgetValidate: endpoint("POST", "/v2/users/forget/validate", {
    body: ForgetValidateBody,
    output: ForgetTicket,
    refusals: REFUSALS,
  }),
  forgetReset: endpoint("POST", "/v2/users/forget/reset", {
    body: ForgetResetBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  changePassword: endpoint("POST", "/v2/users/password/change", {
    body: PasswordChangeBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  contactCode: endpoint("POST", "/v2/users/contact/code", { body: CodeBody, output: CodeSent, refusals: REFUSALS }),
  bindContact: endpoint("POST", "/v2/users/contact/bind", {
    body: ContactBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
};
