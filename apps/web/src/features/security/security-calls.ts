// The calls of the security centre.
import type { CaptchaAnswer } from "@clockwork/identity/captcha/contract";
import type { TotpSecret } from "@clockwork/identity/security/contract";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";

const USERS = "/v2/users";
const SECURITY = `${USERS}/security`;

export const OVERVIEW_PATH = `${SECURITY}/overview`;

function withCaptcha(captcha: CaptchaAnswer | undefined): { readonly captcha?: CaptchaAnswer } {
  return captcha === undefined ? {} : { captcha };
}

export function beginTotp(request: RequestClient): Promise<Answer<TotpSecret>> {
  return request.postJson(`${SECURITY}/totp/begin`, {});
}

export function bindTotp(request: RequestClient, code: string): Promise<Answer<null>> {
  return request.postJson(`${SECURITY}/totp/bind`, { code });
}

export function removeTotp(request: RequestClient, code: string): Promise<Answer<null>> {
  return request.postJson(`${SECURITY}/totp/remove`, { code });
}

export function setTradePassword(request: RequestClient, password: string): Promise<Answer<null>> {
  return request.postJson(`${SECURITY}/trade-password/set`, { password });
}

export function setPhishingWord(request: RequestClient, code: string): Promise<Answer<null>> {
  return request.postJson(`${SECURITY}/anti-phishing/set`, { code });
}

export function freeze(request: RequestClient): Promise<Answer<null>> {
  return request.postJson(`${SECURITY}/freeze`, {});
}

export function changePassword(
  request: RequestClient,
  oldPassword: string,
  newPassword: string,
): Promise<Answer<null>> {
  return request.postJson(`${USERS}/password/change`, { oldPassword, newPassword });
}

export function sendContactCode(
  request: RequestClient,
  account: string,
  captcha: CaptchaAnswer | undefined,
): Promise<Answer<{ readonly resendSeconds: number }>> {
  return request.postJson(`${USERS}/contact/code`, { account, ...withCaptcha(captcha) });
}

export function bindContact(request: RequestClient, account: string, code: string): Promise<Answer<null>> {
  return request.postJson(`${USERS}/contact/bind`, { account, code });
}
