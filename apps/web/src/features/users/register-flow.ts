// What a registration remembers between its screens, and the calls it makes. The password stays in this page's memory:
// a reload forgets it and asks again.
import type { CaptchaAnswer } from "@clockwork/identity/captcha/contract";
import type { CodeSent, SignUpBody } from "@clockwork/identity/users/contract";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { createFlow } from "#session/auth-flow.ts";

export interface RegisterFlow {
  readonly account: string;
  readonly country: string;
  readonly inviteCode: string;
  readonly sentAtMs?: number;
}

const KEEP_MS = 30 * 60_000;

export const registerFlow = createFlow<RegisterFlow>("cw_register", KEEP_MS);

let password = "";

export function keepPassword(text: string): void {
  password = text;
}

export function readPassword(): string {
  return password;
}

const ANYBODY = { anonymous: true } as const;

export function sendSignUpCode(
  request: RequestClient,
  account: string,
  captcha: CaptchaAnswer | undefined,
): Promise<Answer<CodeSent>> {
  const body = { account, ...(captcha === undefined ? {} : { captcha }) };
  return request.postJson("/v2/users/sign-up/code", body, ANYBODY);
}

export function signUp(request: RequestClient, body: SignUpBody): Promise<Answer<{ readonly id: string }>> {
  return request.postJson("/v2/users/sign-up", body, ANYBODY);
}
