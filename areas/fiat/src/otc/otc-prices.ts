// The price of a coin in dollars and of a currency per dollar, for ads: the core's valuation, rates from the site's
// table, the dirham from its peg. Kept in memory, so that a list of ads reads no table.
import { parseUnits } from "@clockwork/kit/money";
import { AED_PER_USD, FIAT_CODES } from "@clockwork/kit/otc/fiat";
import { RATE_SCALE } from "@clockwork/kit/otc/price";
import type { PartContext } from "@clockwork/trading/context";
import type { FiatPorts } from "../ports.ts";

export function otcPrices({ market, clock }: Pick<PartContext, "market" | "clock">, rates: FiatPorts["rates"]) {
  const { pairs } = market;
  const table = new Map<string, bigint>();
  let isSimulated = false;
  return {
    async refresh(): Promise<void> {
      const read = await rates.read(clock.now());
      isSimulated = read.simulated;
      for (const code of FIAT_CODES) {
        const text = code === "AED" ? AED_PER_USD : (read.rates as Readonly<Record<string, string>>)[code];
        const rate = text === undefined ? undefined : parseUnits(text, RATE_SCALE);
        if (rate?.done === true && rate.value > 0n) table.set(code, rate.value);
      }
    },
    coin: (symbol: string) => pairs.findAsset(symbol),
    /** By the exchange's one valuation; the tether is a dollar. */
    indexE6(symbol: string): bigint | undefined {
      const coin = pairs.findAsset(symbol);
      return coin === undefined ? undefined : pairs.worthUnits(coin.asset, 10n ** BigInt(coin.scale));
    },
    /** Undefined until the site's table has it: nothing is priced without a rate. */
    rateE8: (fiat: string): bigint | undefined => table.get(fiat),
    hasSimulatedRates: () => isSimulated,
  };
}

export type OtcPrices = ReturnType<typeof otcPrices>;
