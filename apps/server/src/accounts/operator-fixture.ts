// The first operator for tests of the console: signed in, with an authenticator bound and proved.
import { hotp, STEP_MS } from "@clockwork/domains/security/rules";
import { type Place, Visitor } from "./account-fixture.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What the authenticator of this secret shows. */
export function showTotp(secret: string, timeMs: number): string {
  let bits = "";
  for (const letter of secret) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, "0");
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  return hotp(Uint8Array.from(bytes), Math.floor(timeMs / STEP_MS));
}

/** The first operator, with an authenticator bound. */
export async function enterAsOperator(place: Place): Promise<{ readonly operator: Visitor; readonly secret: string }> {
  const [, email = "", password = ""] = /account (\S+), password (\S+) /.exec(place.announced[0] ?? "") ?? [];
  const operator = new Visitor(place);
  await operator.signIn(email, password);
  const { secret } = (await operator.post("/v2/users/security/totp/begin")).data;
  await operator.post("/v2/users/security/totp/bind", { code: showTotp(secret, place.nowMs()) });
  return { operator, secret };
}
