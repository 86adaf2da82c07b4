// The first operators for tests of the console: signed in, with an authenticator bound and proved.

import { type Answer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { hotp, STEP_MS } from "../security/rules.ts";

/** For a server where only people decide, with two operators. */
export const TWO_OPERATORS = {
  CW_OPERATOR_EMAIL: "operator@clockwork.local,second@clockwork.local",
  CW_SIMULATED_REVIEWER: "off",
};

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The current code of the authenticator with this secret. */
export function showTotp(secret: string, timeMs: number): string {
  let bits = "";
  for (const letter of secret) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, "0");
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return hotp(Uint8Array.from(bytes), Math.floor(timeMs / STEP_MS));
}

/** The first operator or another, with an authenticator bound. */
export async function enterAsOperator(
  place: Pick<TestServer, "url" | "announced" | "nowMs">,
  which = 0,
): Promise<{ readonly operator: Visitor; readonly secret: string }> {
  const [, email = "", password = ""] = /account (\S+), password (\S+) /.exec(place.announced[which] ?? "") ?? [];
  const operator = new Visitor(place);
  await operator.signIn(email, password);
  return { operator, secret: await bindTotp(operator, place) };
}

/** Binds an authenticator to the account of a user who has just proved ownership; returns its secret. */
export async function bindTotp(visitor: Visitor, place: Pick<TestServer, "nowMs">): Promise<string> {
  const { secret } = (await visitor.post("/v2/users/security/totp/begin")).data;
  await visitor.post("/v2/users/security/totp/bind", { code: showTotp(secret, place.nowMs()) });
  return secret;
}

/** Approves another's proposal with the hash from its response. */
export async function approve(approver: Visitor, made: Answer): Promise<Answer> {
  if (made.status !== 200) throw new Error(`nothing was proposed: ${String(made.code)}`);
  const { proposalId, payloadHash } = made.data;
  return approver.post("/v2/operators/proposals/approve", { proposalId, payloadHash });
}

export async function proposeRole(proposer: Visitor, account: string, role: string): Promise<Answer> {
  return proposer.post("/v2/operators/grant", { account, role, clientId: crypto.randomUUID() });
}
