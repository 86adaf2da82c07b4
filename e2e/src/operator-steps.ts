// The operator of the first start in a browser: signed in, with an authenticator bound, by the calls the screens make.
import type { BrowserContext } from "playwright-core";
import { readCode, showTotp } from "./auth-steps.ts";
import type { Site } from "./site.ts";

/** For sites without a captcha. */
export async function enterOperator(site: Site, context: BrowserContext): Promise<void> {
  const [, account = "", password = ""] = /account (\S+), password (\S+) /.exec(site.said()) ?? [];
  const device = crypto.randomUUID();
  const post = async (path: string, data: object = {}): Promise<Record<string, string>> => {
    const headers = { cwDeviceId: device };
    const response = await context.request.post(`${site.origin}/api/v2/users/${path}`, { data, headers });
    const body = (await response.json()) as { data: Record<string, string>; message?: string };
    if (!response.ok()) throw new Error(`${path}: ${body.message}`);
    return body.data;
  };
  const { ticket } = await post("login/do-login", { account, password });
  if (ticket !== undefined) {
    const email = await readCode(site.origin, account, "login");
    await post("login/do-login", { ticket, codes: { email } });
  }
  const { secret = "" } = await post("security/totp/begin");
  await post("security/totp/bind", { code: showTotp(secret) });
}
