// What signing in through another site remembers while the visitor is away, and the calls it makes. Keeps no proof longer
// than the server does.
import type { Begun, Finished, SocialSignUpBody } from "@clockwork/identity/social/contract";
import type { LoaderFunctionArgs } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { readEnvelope } from "#boot/root-data.ts";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { createFlow } from "#session/auth-flow.ts";

const PATH = "/v2/users/social";
export const LINKS_PATH = `${PATH}/links`;
export const PROVIDERS_PATH = `${PATH}/providers`;
/** Where the other site sends its visitors back to. */
export const RETURN_PATH = "/login-cw/social-verification";
const ANYBODY = { anonymous: true } as const;
const VISIT_MS = 10 * 60_000;
const PROOF_MS = 15 * 60_000;

interface Visit {
  readonly secret: string;
  readonly provider: string;
  /** What the visitor was on the way to, since the other site does not bring it back. */
  readonly carried: string;
  /** Somebody signed in wants to link: the answer must not sign in anybody else. */
  readonly isLinking: boolean;
}

/** An account elsewhere that is proved and linked to nobody here yet. */
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
  const call = { method: "GET", path: PROVIDERS_PATH, shared: true } as const;
  return { providers: readProviders(readEnvelope(await context.get(pageContext).callApi(call))) };
}

/** The other sites that are configured, from the answer of `PROVIDERS_PATH`. */
export function readProviders(data: Readonly<Record<string, unknown>> | undefined): readonly string[] {
  const providers = data?.providers;
  return Array.isArray(providers) ? providers.filter((one) => typeof one === "string") : [];
}

export function nameOf(provider: string): string {
  return NAMES[provider] ?? provider;
}

/** Leaves for the other site; answers only when that was refused. */
export async function leaveFor(
  request: RequestClient,
  provider: string,
  rest: Pick<Visit, "carried" | "isLinking">,
): Promise<Answer<Begun>> {
  const answer = await request.postJson<Begun>(`${PATH}/begin`, { provider }, ANYBODY);
  if (answer.ok) {
    proofFlow.clear();
    visitFlow.write({ ...rest, provider, secret: answer.data.secret });
    location.assign(answer.data.url);
  }
  return answer;
}

export function finishVisit(request: RequestClient, visit: Visit, query: string): Promise<Answer<Finished>> {
  const { secret, isLinking } = visit;
  const body = { secret, query, ...(isLinking ? { isLinking } : {}) };
  return request.postJson(`${PATH}/finish`, body, ANYBODY);
}

export function signUpWith(request: RequestClient, body: SocialSignUpBody): Promise<Answer<{ readonly id: string }>> {
  return request.postJson(`${PATH}/sign-up`, body, ANYBODY);
}

export function linkWith(request: RequestClient, linkTicket: string): Promise<Answer<null>> {
  return request.postJson(`${PATH}/link`, { linkTicket });
}

export function unlinkFrom(request: RequestClient, provider: string): Promise<Answer<null>> {
  return request.postJson(`${PATH}/unlink`, { provider });
}
