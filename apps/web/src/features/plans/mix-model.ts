// Ready mixes of recurring buys, the address that fills the editor with one, and what the past made of it.
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";

const USDT_SCALE = 6;
const GAIN_SCALE = 6;
const GAIN_ONE = 1_000_000n;

export interface Mix {
  readonly id: "largest" | "layer1";
  readonly coins: readonly { readonly asset: string; readonly weight: number }[];
}

/** Ready mixes of recurring buys; weights are whole percents. */
export const MIXES: readonly Mix[] = [
  {
    id: "largest",
    coins: [
      { asset: "BTC", weight: 70 },
      { asset: "ETH", weight: 30 },
    ],
  },
  {
    id: "layer1",
    coins: [
      { asset: "BTC", weight: 40 },
      { asset: "ETH", weight: 30 },
      { asset: "SOL", weight: 20 },
      { asset: "AVAX", weight: 10 },
    ],
  },
];

/** The editor with the mix in it. */
export function mixPath({ coins }: Pick<Mix, "coins">, name: string): string {
  const mix = coins.map(({ asset, weight }) => `${asset}-${weight}`).join(".");
  return `/earn/recurring?mix=${mix}&name=${encodeURIComponent(name)}`;
}

/** Gain or loss of a look back as a fraction of what was put in, rounded toward zero; undefined without a past. */
export function gainOf({ putIn, worth }: { readonly putIn: string; readonly worth: string }): string | undefined {
  const [paid, now] = [parseUnits(putIn, USDT_SCALE), parseUnits(worth, USDT_SCALE)];
  if (!paid.done || !now.done || paid.value === 0n) return undefined;
  return formatUnits(units(((now.value - paid.value) * GAIN_ONE) / paid.value), GAIN_SCALE);
}
