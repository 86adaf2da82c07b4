// What the overview works out of the accounts: coins over all of them, and accounts of one kind together. Pure and exact.

import {
  addDecimals,
  type Decimal,
  divideTruncated,
  groupThousands,
  parseDecimal,
  writeDecimal,
} from "@clockwork/kit/decimal";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { walletUse } from "@clockwork/kit/wallet/equity";
import type { WalletAccount, WalletCoin } from "@clockwork/trading/wallet/contract";

/** A coin as every page of the wallet shows it; what its money counts as is `kit/wallet/equity`'s to say. */
export type Holding = WalletCoin;

function read(text: string | null): Decimal {
  const read = parseDecimal(text ?? "0");
  return read.ok ? read.value : { units: 0n, scale: 0 };
}

const add = (left: string | null, right: string | null): string => writeDecimal(addDecimals(read(left), read(right)));

/** What one account holds. */
export function holdingsOf({ walletType, assets }: Pick<WalletAccount, "walletType" | "assets">): readonly Holding[] {
  const use = walletUse(walletType);
  return assets.map(({ asset, name, total, available, frozen, worthUsdt }) => {
    const none = { available: "0", reserved: "0", invested: "0" };
    const uses = use === "direct" ? { available, reserved: frozen } : { [use]: total };
    return { asset, name, total, worthUsdt, ...none, ...uses };
  });
}

export function sumByType(
  accounts: readonly WalletAccount[],
): readonly { readonly id: string; readonly name: string; readonly totalUsdt: string }[] {
  const byType = new Map<string, { id: string; name: string; totalUsdt: string }>();
  for (const { walletType, name, totalUsdt } of accounts) {
    const known = byType.get(walletType)?.totalUsdt ?? null;
    byType.set(walletType, { id: walletType, name, totalUsdt: add(known, totalUsdt) });
  }
  return [...byType.values()];
}

/**
 * The coins an amount of USDT buys at a price, cut to the given decimals; nothing where there is no price or no amount.
 */
export function inCoins(usdt: string | undefined, priceUsdt: string | null, decimals: number): string | undefined {
  const price = read(priceUsdt);
  if (usdt === undefined || price.units <= 0n) return undefined;
  return groupThousands(writeDecimal(divideTruncated(read(usdt), price, decimals)));
}

export function toneOf(text: string): string {
  if (/^-?0(?:\.0*)?$/.test(text)) return "text-muted";
  return text.startsWith("-") ? "text-down-text" : "text-up-text";
}

export function showGain(text: string): string {
  const shown = groupThousands(formatDecimal(text.replace(/^-/, ""), { decimals: 2 }));
  if (/^0(?:\.0*)?$/.test(shown)) return shown;
  return `${text.startsWith("-") ? "−" : "+"}${shown}`;
}

/** "+0.84%", cut towards zero. */
export function showRate(rate: number): string {
  const percent = Math.trunc(Math.abs(rate) * 10_000) / 100;
  return `${percent === 0 ? "" : rate < 0 ? "−" : "+"}${percent.toFixed(2)}%`;
}

export function showPrice(price: string | null): string {
  return price === null ? "–" : formatCoins(price);
}
