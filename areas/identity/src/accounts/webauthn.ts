// The arithmetic of WebAuthn ceremonies, by a library. Any doubt is a refusal; the exact reason goes to the log only.

import type { RouteContext } from "@clockwork/host/route";
import { PRODUCT_NAME } from "@clockwork/kit/constants";
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { Ceremonies, Site, StoredKey } from "../passkeys/needs.ts";

/** EdDSA, ES256 and RS256 by their COSE numbers; every authenticator in use supports one of them. */
const ALGORITHMS = [-8, -7, -257];

type Transport = "ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb";

export function webauthnCeremonies(report: (error: unknown) => void): Ceremonies {
  const refuse = (error: unknown): undefined => {
    report(error);
    return undefined;
  };
  return {
    async askForNew({ host }, user, known) {
      const options = await generateRegistrationOptions({
        rpName: PRODUCT_NAME,
        rpID: host,
        userName: user.name,
        userID: new TextEncoder().encode(String(user.id)),
        attestationType: "none",
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        excludeCredentials: known.map(({ id, transports }) => ({ id, transports: transports as Transport[] })),
      });
      return { challenge: options.challenge, options };
    },
    async askForKnown({ host }) {
      const options = await generateAuthenticationOptions({ rpID: host, userVerification: "required" });
      return { challenge: options.challenge, options };
    },
    challengeOf({ response }) {
      try {
        const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString("utf8"));
        const { challenge } = data as { challenge?: unknown };
        return typeof challenge === "string" && challenge.length <= 256 ? challenge : undefined;
      } catch {
        return undefined;
      }
    },
    async checkNew({ origin, host }, challenge, response) {
      try {
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          response: response as RegistrationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: host,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        });
        if (!verified) return undefined;
        const { id, publicKey, counter, transports } = registrationInfo.credential;
        return { id, publicKey, counter, transports: transports ?? [] } satisfies StoredKey;
      } catch (error) {
        return refuse(error);
      }
    },
    async checkKnown({ origin, host }, challenge, response, key) {
      try {
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: response as AuthenticationResponseJSON,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: host,
          credential: { id: key.id, publicKey: new Uint8Array(key.publicKey), counter: key.counter },
          requireUserVerification: true,
        });
        return verified ? authenticationInfo.newCounter : undefined;
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

/**
 * The configured origin, else the one the browser reports. A key is bound to its host by the authenticator, so a forged
 * Host only requests keys that do not exist.
 */
export function siteOf(publicOrigin: string | undefined): (context: RouteContext) => Site {
  return (context) => {
    const origin = publicOrigin ?? `http://${context.header("host") ?? "localhost"}`;
    const url = URL.parse(origin);
    return { origin: url?.origin ?? "http://localhost", host: url?.hostname ?? "localhost" };
  };
}
