// OpenID Connect with configured providers, by a library: authorization code with PKCE, state and nonce. Any doubt is a
// refusal. Discovery happens at the first visit, so that an unavailable provider delays no start.

import type { OpenidProvider } from "@clockwork/host/settings/openid-provider";
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import type { Providers } from "../social/needs.ts";
import type { NearProvider } from "./simulated-openid.ts";

type Provider = OpenidProvider | NearProvider;

const isNear = (provider: Provider | undefined): provider is NearProvider =>
  provider !== undefined && "formOf" in provider;

interface Memory {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly returnUrl: string;
}

const TIMEOUT_SECONDS = 8;

export function openidProviders(
  providers: readonly Provider[],
  report: (provider: string, error: unknown) => void,
): Providers {
  const known = new Map<string, Promise<Configuration>>();
  const configure = (name: string): Promise<Configuration> | undefined => {
    const provider = providers.find((one) => one.name === name);
    if (provider === undefined) return undefined;
    const found = known.get(name) ?? discover(provider);
    known.set(name, found);
    // A provider that was unavailable is retried next time.
    found.catch(() => known.delete(name));
    return found;
  };
  return {
    names: providers.map(({ name }) => name),
    async ask(name, returnUrl) {
      try {
        const config = await configure(name);
        if (config === undefined) return undefined;
        const memory: Memory = {
          verifier: randomPKCECodeVerifier(),
          state: randomState(),
          nonce: randomNonce(),
          returnUrl,
        };
        const url = buildAuthorizationUrl(config, {
          redirect_uri: returnUrl,
          scope: "openid email",
          code_challenge: await calculatePKCECodeChallenge(memory.verifier),
          code_challenge_method: "S256",
          state: memory.state,
          nonce: memory.nonce,
        });
        const provider = providers.find((one) => one.name === name);
        const form = isNear(provider) ? provider.formOf(url.search, returnUrl) : url.href;
        return { url: form, state: memory.state, memory: JSON.stringify(memory) };
      } catch (error) {
        report(name, error);
        return undefined;
      }
    },
    async redeem(name, text, query) {
      try {
        const config = await configure(name);
        if (config === undefined) return undefined;
        const memory = JSON.parse(text) as Memory;
        const current = new URL(memory.returnUrl);
        current.search = query;
        const tokens = await authorizationCodeGrant(config, current, {
          pkceCodeVerifier: memory.verifier,
          expectedState: memory.state,
          expectedNonce: memory.nonce,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) return undefined;
        const email = claims.email_verified === true && typeof claims.email === "string" ? claims.email : "";
        return { subject: claims.sub, email };
      } catch (error) {
        report(name, error);
        return undefined;
      }
    },
  };
}

function discover(provider: Provider): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = provider;
  const url = new URL(issuer);
  // Only a provider on this machine may be unencrypted.
  const isLocal = url.protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  return discovery(url, clientId, clientSecret, undefined, {
    timeout: TIMEOUT_SECONDS,
    execute: isLocal ? [allowInsecureRequests] : [],
    ...(isNear(provider) ? { [customFetch]: (url, init) => provider.fetch(url, init) } : {}),
  });
}
