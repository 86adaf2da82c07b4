// The state of signing in through another site while the visitor is there, and its calls. Keeps no proof longer than
// the server does.

import { SOCIAL_CALLS, type Started } from "@clockwork/identity/social/contract";
import type { LoaderFunctionArgs } from "react-router";
import { type PageContext, pageContext } from "#boot/page-context.ts";
import { readCall } from "#boot/read-call.ts";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { ANYBODY } from "#session/auth-context.ts";
import { createFlow } from "#session/auth-flow.ts";

/** Where the other site sends its visitors back to. */
export const RETURN_PATH = "/login-cw/social-verification";
const VISIT_MS = 10 * 60_000;
const PROOF_MS = 15 * 60_000;

interface Visit {
  readonly secret: string;
  readonly provider: string;
  /** What the visitor was on the way to, since the other site does not bring it back. */
  readonly carried: string;
  /** A signed-in user is linking: the answer must not sign in another account. */
  readonly isLinking: boolean;
}

/** An external account that is proved and not linked here yet. */
export interface Proof {
  readonly linkTicket: string;
  readonly provider: string;
  readonly email: string;
  readonly isKnown: boolean;
  readonly carried: string;
}

export const visitFlow = createFlow<Visit>("cw_social", VISIT_MS);
export const proofFlow = createFlow<Proof>("cw_social_proof", PROOF_MS);

const NAMES: Readonly<Record<string, string>> = {
  google: "Google",
  apple: "Apple",
  telegram: "Telegram",
  simulated: "a simulated provider",
};

export interface LoginData {
  readonly providers: readonly string[];
}

/** What the pages of sign-in are rendered from. */
export async function loadProviders({ context }: LoaderFunctionArgs): Promise<LoginData> {
  return { providers: await readProviders(context.get(pageContext)) };
}

/** The other sites that are configured. */
export async function readProviders(page: Pick<PageContext, "callApi">): Promise<readonly string[]> {
  return (await readCall(page, SOCIAL_CALLS.providers, {}, { shared: true }))?.providers ?? [];
}

export function nameOf(provider: string): string {
  return NAMES[provider] ?? provider;
}

/** Leaves for the other site; answers only when that was refused. */
export async function leaveFor(
  request: RequestClient,
  provider: string,
  rest: Pick<Visit, "carried" | "isLinking">,
): Promise<Answer<Started>> {
  const answer = await request.call(SOCIAL_CALLS.begin, { provider }, ANYBODY);
  if (answer.ok) {
    proofFlow.clear();
    visitFlow.write({ ...rest, provider, secret: answer.data.secret });
    location.assign(answer.data.url);
  }
  return answer;
}
