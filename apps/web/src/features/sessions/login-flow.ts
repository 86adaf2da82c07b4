// What a sign-in remembers between its screens, and the calls it makes. Passwords pass through and are never kept.

import type { CaptchaAnswer } from "@clockwork/identity/captcha/contract";
import type { CodeSent, LoginAnswer, LoginBody } from "@clockwork/identity/sessions/contract";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { createFlow } from "#session/auth-flow.ts";

export interface LoginFlow {
  readonly account: string;
  readonly ticket?: string;
  readonly next?: LoginAnswer["next"] | undefined;
  readonly sentTo?: string;
  readonly sentAtMs?: number;
  /** Asked on the one-page entry: stay signed in. */
  readonly stays?: boolean;
}

/** As long as the server keeps a ticket. */
const KEEP_MS = 10 * 60_000;

export const loginFlow = createFlow<LoginFlow>("cw_login", KEEP_MS);

const PATH = "/v2/users/login";
const ANYBODY = { anonymous: true } as const;

export function askTypes(request: RequestClient, account: string): Promise<Answer<{ readonly types: string[] }>> {
  return request.postJson(`${PATH}/validate-type`, { account }, ANYBODY);
}

export function tryLogin(request: RequestClient, body: LoginBody): Promise<Answer<LoginAnswer>> {
  return request.postJson(`${PATH}/do-login`, body, ANYBODY);
}

export function resendCode(
  request: RequestClient,
  ticket: string,
  captcha: CaptchaAnswer | undefined,
): Promise<Answer<CodeSent>> {
  return request.postJson(`${PATH}/code`, { ticket, ...(captcha === undefined ? {} : { captcha }) }, ANYBODY);
}

export const LOGIN_PATH = "/login-cw";
export const APP_CODE_PATH = `${LOGIN_PATH}/verification`;
export const SENT_CODE_PATH = `${LOGIN_PATH}/device-verification`;

/** The bare path of what an answer asks for next; undefined when the visitor is in. */
export function nextStep({ next }: { readonly next?: LoginAnswer["next"] | undefined }): string | undefined {
  const factor = next?.[0];
  if (factor === undefined) return undefined;
  return factor === "totp" ? APP_CODE_PATH : SENT_CODE_PATH;
}

/** For the step at `here`: the step its flow stands at, when that is another. */
export function stepOtherThan(here: string): (flow: LoginFlow | null) => string | undefined {
  return (flow) => {
    const step = (flow?.ticket === undefined ? undefined : nextStep(flow)) ?? LOGIN_PATH;
    return step === here ? undefined : step;
  };
}
