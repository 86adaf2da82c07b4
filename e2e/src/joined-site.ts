// Owns the served sites of a run, a quiet one, one with a living market and one with the captcha: the first request
// starts it, all journeys without settings of their own visit it side by side, and it ends with the run. Vitest calls
// this once, before its workers.
import { createServer } from "node:http";
import { type Site, startSite } from "./site.ts";

/**
 * A sign-up costs a browser half a second of work with the puzzle; only the journeys about it visit the site that
 * requires it.
 */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "/quiet": { CW_CAPTCHA: "off" },
  "/living": { CW_CAPTCHA: "off", CW_MARKET: "on" },
  "/guarded": {},
};

export async function setup(): Promise<() => Promise<void>> {
  const sites = new Map<string, Promise<Site>>();
  const host = createServer(async ({ url }, response) => {
    try {
      const [kind = "", isReply] = (url ?? "").split(/(\/reply)$/);
      const settings = SETTINGS[kind];
      if (settings === undefined) throw new Error(`there is no site ${kind}`);
      const site = sites.get(kind) ?? startSite(settings);
      sites.set(kind, site);
      const { origin, reply } = await site;
      response.end(isReply === undefined ? origin : reply());
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((done) => host.listen(0, "127.0.0.1", done));
  const address = host.address();
  process.env.CW_E2E_SHARED = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return async () => {
    host.close();
    for (const site of sites.values()) await (await site.catch(() => undefined))?.stop();
  };
}
