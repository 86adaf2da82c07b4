// An OpenID provider running on this machine for tests, and a user agent for its pages.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

const CLIENT = { client_id: "clockwork", client_secret: "a-secret-of-the-client" };

export interface Elsewhere {
  readonly issuer: string;
  /** The server's setting for it. */
  readonly setting: string;
  allow(returnUrl: string): void;
  close(): void;
}

/** A provider where every name typed into its sign-in form is an account. */
export async function openElsewhere(): Promise<Elsewhere> {
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let handle: ReturnType<Provider["callback"]> = () => Promise.resolve();
  return {
    issuer,
    setting: `google|${issuer}|${CLIENT.client_id}|${CLIENT.client_secret}`,
    allow(returnUrl) {
      const provider = new Provider(issuer, {
        clients: [{ ...CLIENT, redirect_uris: [returnUrl] }],
        claims: { openid: ["sub"], email: ["email", "email_verified"] },
        conformIdTokenClaims: false,
        cookies: { keys: ["for tests"] },
        findAccount: (_context: unknown, sub: string) => ({
          accountId: sub,
          claims: async () => ({ sub, email: `${sub}@elsewhere.example`, email_verified: true }),
        }),
      });
      handle = provider.callback();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Follows the provider's pages as a user would; returns the query of the redirect back. */
export async function visit(url: string, name: string, returnUrl: string): Promise<string> {
  const jar = new Map<string, string>();
  let next = new URL(url);
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    const response: Response = await fetch(next, {
      redirect: "manual",
      headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: form }),
    });
    for (const text of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      jar.set(key, value);
    }
    const location = response.headers.get("location");
    form = undefined;
    if (location !== null) {
      next = new URL(location, next);
      if (next.href.startsWith(returnUrl)) return next.search.slice(1);
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined) throw new Error(`${response.status} ${page.slice(0, 400)}`);
    next = new URL(action, next);
    form = new URLSearchParams(prompt === "login" ? { prompt, login: name, password: "x" } : { prompt });
  }
  throw new Error("the provider never sent the visitor back");
}
