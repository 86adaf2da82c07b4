// Balances by account, kept level with the page's own total: requested again with it, after a balance change and every
// few seconds for the prices.

import type { WalletType } from "@clockwork/kit/books";
import { WALLET_CALLS, type WalletAccounts } from "@clockwork/trading/wallet/contract";
import { useEffect, useRef, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";

export const ALL_TYPES: readonly WalletType[] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** What could not be learned is left as it was. */
export function useLiveWallet(served: WalletAccounts | null): WalletAccounts | null {
  const calls = useCalls();
  const total = useGlobal((state) => state.totalAsset);
  const [wallet, setWallet] = useState(served);
  const [before, setBefore] = useState(served);
  if (served !== before) {
    setBefore(served);
    setWallet(served);
  }
  // The page was served with the worth of what it was served with.
  const known = useRef(total);
  useEffect(() => {
    if (known.current === total) return;
    known.current = total;
    let isGone = false;
    const ask = async () => {
      const answer = await (await calls()).call(WALLET_CALLS.accounts, { walletTypeList: [...ALL_TYPES] });
      if (answer.ok && !isGone) setWallet(answer.data);
    };
    void ask();
    return () => {
      isGone = true;
    };
  }, [calls, total]);
  return wallet;
}
