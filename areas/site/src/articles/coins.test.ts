// Every listed coin has its page's facts, and each link is an external https address.
import { join } from "node:path";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { CATALOGUE_ASSETS } from "@clockwork/trading/market/catalogue";
import { expect, test } from "vitest";
import { readCoins } from "./seed-files.ts";

test("[SITE-11] every listed coin is described, with its supply and links", () => {
  const coins = readCoins(join(ROOT_FOLDER, "content"));
  expect(
    CATALOGUE_ASSETS.map(({ symbol }) => symbol).filter((one) => !coins.some(({ symbol }) => symbol === one)),
  ).toEqual([]);
  for (const coin of coins) {
    expect(coin.about.length, coin.symbol).toBeGreaterThan(40);
    expect(coin.maxSupply ?? "1", coin.symbol).toMatch(/^[1-9][0-9]*$/);
    for (const { url } of coin.links) expect(new URL(url).protocol, url).toBe("https:");
  }
});
