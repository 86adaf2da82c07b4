// A real OpenID provider on this machine for journeys: any name typed into its own sign-in form is an account.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { Page } from "playwright-core";

const CLIENT = { client_id: "clockwork", client_secret: "a-secret-of-the-client" };

export interface OpenidSite {
  readonly issuer: string;
  /** The setting that lets a site sign in through it. */
  readonly setting: string;
  /** Lets it redirect visitors back to this address; called once that is assigned. */
  allow(returnUrl: string): void;
  close(): void;
}

export async function openOpenidSite(): Promise<OpenidSite> {
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

/**
 * Through the provider's pages as a user, until it redirects the visitor back; prompts it can answer itself are
 * skipped.
 */
export async function provePerson(page: Page, { issuer }: OpenidSite, name: string): Promise<void> {
  for (let step = 0; step < 4; step++) {
    await page.waitForLoadState("load");
    if (!page.url().startsWith(issuer)) return;
    const login = page.locator('input[name="login"]');
    if ((await login.count()) > 0) {
      await login.fill(name);
      await page.locator('input[name="password"]').fill("x");
    }
    const before = page.url();
    await page.locator('button[type="submit"], input[type="submit"]').first().click();
    await page.waitForURL((url) => url.href !== before);
  }
}
