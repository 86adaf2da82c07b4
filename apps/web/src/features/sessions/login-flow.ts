// What a sign-in remembers between its screens. Passwords pass through and are never kept.

import type { LoginAnswer } from "@clockwork/identity/sessions/contract";
import { createFlow } from "#session/auth-flow.ts";

export interface LoginFlow {
  readonly account: string;
  readonly ticket?: string;
  readonly next?: LoginAnswer["next"] | undefined;
  readonly sentTo?: string;
  readonly sentAtMs?: number;
  /** From the one-page entry: keep the visitor signed in. */
  readonly stays?: boolean;
}

/** As long as the server keeps a ticket. */
const KEEP_MS = 10 * 60_000;

export const loginFlow = createFlow<LoginFlow>("cw_login", KEEP_MS);

export const LOGIN_PATH = "/login-cw";
export const APP_CODE_PATH = `${LOGIN_PATH}/verification`;
export const SENT_CODE_PATH = `${LOGIN_PATH}/device-verification`;

/** The bare path of the next step in an answer; undefined when the visitor is signed in. */
export function nextStep({ next }: { readonly next?: LoginAnswer["next"] | undefined }): string | undefined {
  const factor = next?.[0];
  if (factor === undefined) return undefined;
  return factor === "totp" ? APP_CODE_PATH : SENT_CODE_PATH;
}

/** For the step at `here`: the flow's current step, when that is another. */
export function stepOtherThan(here: string): (flow: LoginFlow | null) => string | undefined {
  return (flow) => {
    const step = (flow?.ticket === undefined ? undefined : nextStep(flow)) ?? LOGIN_PATH;
    return step === here ? undefined : step;
  };
}
