// The served process in its usual state for visitors: with the simulated market running and its first prices there.
import { type Site, startSite } from "./served-site.ts";

const MARKET_TRIES = 200;

export async function startServer(): Promise<Site> {
  // One machine plays all visitors; the limit per address is another test's.
  const site = await startSite("visitors", { CW_MARKET: "on", CW_RATE_WEIGHT_PER_MINUTE: "0" });
  await waitForMarket(site.origin);
  return site;
}

async function waitForMarket(origin: string): Promise<void> {
  for (let tries = 0; tries < MARKET_TRIES; tries++) {
    const response = await fetch(`${origin}/api/v1/spot/quotations`);
    const { data } = (await response.json()) as { readonly data?: readonly { readonly last: string }[] | null };
    if ((data?.length ?? 0) > 0 && data?.every(({ last }) => Number(last) > 0)) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  throw new Error("the market did not begin");
}
