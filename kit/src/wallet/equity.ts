// Owns what money in a wallet counts as, on every page: available for use at once, reserved for something under way, or
// invested in a product. The three and what is committed elsewhere are the equity. Pure.
import type { WalletType } from "../books.ts";

/** direct: free money is available and frozen money reserved; else the whole of it is one of the other two. */
export type WalletUse = "direct" | "reserved" | "invested";

export function walletUse(walletType: WalletType): WalletUse {
  // Free money in spot and funding can be traded, paid and withdrawn.
  if (walletType === "1" || walletType === "2") return "direct";
  // The coins of an ad are offered to others.
  return walletType === "9" ? "reserved" : "invested";
}

export interface Uses {
  readonly availableUnits: bigint;
  readonly reservedUnits: bigint;
  readonly investedUnits: bigint;
}

export function usesOf(walletType: WalletType, availableUnits: bigint, frozenUnits: bigint): Uses {
  const units = availableUnits + frozenUnits;
  switch (walletUse(walletType)) {
    case "direct":
      return { availableUnits, reservedUnits: frozenUnits, investedUnits: 0n };
    case "reserved":
      return { availableUnits: 0n, reservedUnits: units, investedUnits: 0n };
    case "invested":
      return { availableUnits: 0n, reservedUnits: 0n, investedUnits: units };
  }
}
