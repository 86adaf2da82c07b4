// The initial money of a run with test money: one deposit from outside into the reserves for each coin, and from there
// the funds of the treasuries. Everything else is a transfer. Never part of a production run, where deposits are real.
import { type HousePurpose, RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { EngineHandle } from "@clockwork/host/engine";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { CATALOGUE_ASSETS } from "./catalogue.ts";

/** Two thirds of what the ledger can count of a coin: the rest is for deposits, and a second genesis never fits. */
export const GENESIS_UNITS = 6_000_000_000_000_000;
const TREASURY_UNITS = 200_000_000_000_000;
const TREASURIES: readonly HousePurpose[] = ["couponTreasury", "campaignTreasury", "interestTreasury", "rebateSource"];

/** Every start repeats the request and gets what exists; references that have expired need no space. */
export async function fundReserves(engine: Pick<EngineHandle, "submit" | "readListing">): Promise<void> {
  const listing = await engine.readListing();
  if (listing === undefined) return;
  const treasuries = await Promise.all(
    TREASURIES.map(async (purpose) => ({ purpose, to: await openHouseAccount(engine.submit, purpose) })),
  );
  for (const { asset, symbol } of listing.assets) {
    // The quote of contracts is no coin.
    if (!CATALOGUE_ASSETS.some((coin) => coin.symbol === symbol)) continue;
    if (!(await fundCoin(engine, asset, symbol))) continue;
    const reserves = { account: RESERVES_ACCOUNT, asset };
    for (const { purpose, to } of treasuries) {
      if (to === undefined) continue;
      const share = { ...reserves, units: TREASURY_UNITS, reference: `genesis:${symbol}:${purpose}` };
      await engine.submit({ kind: "transfer", ...share, to });
    }
  }
}

/** The first deposit of one coin; false if there was one before, whose reference has expired. */
export async function fundCoin(engine: Pick<EngineHandle, "submit">, asset: number, symbol: string): Promise<boolean> {
  const reference = `genesis:${symbol}`;
  const money = { account: RESERVES_ACCOUNT, asset, units: GENESIS_UNITS, reference };
  const made = await engine.submit({ kind: "mint", business: "deposit", ...money });
  if (!made.done && made.code === "MINT_LIMIT") return false;
  if (!made.done) throw new Error(`the reserves could not be funded with ${symbol}: ${made.code}`);
  return true;
}
