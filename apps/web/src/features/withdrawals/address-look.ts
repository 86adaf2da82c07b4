// Looks up an address when typing pauses: its errors, and whether coins sent there leave the exchange at all.
import { type AddressLook, WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import { useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

export interface Look {
  /** Nothing until it is loaded. */
  readonly found?: AddressLook | undefined;
  readonly wrong?: string | undefined;
}

const REST_MS = 400;
/** The shortest address of any chain: shorter input is still being typed. */
const LENGTH_MIN = 26;

export function useAddressLook(asset: string, network: string | undefined, typed: string): Look {
  const words = useAuthText();
  const calls = useCalls();
  const [look, setLook] = useState<Look>({});
  const address = typed.trim();
  useEffect(() => {
    setLook({});
    if (network === undefined || address.length < LENGTH_MIN) return;
    let isGone = false;
    const ask = async () => {
      const answer = await (await calls()).call(WITHDRAW_CALLS.look, { asset, network, address });
      if (!isGone) setLook(answer.ok ? { found: answer.data } : { wrong: describeFailure(words, answer) });
    };
    const timer = setTimeout(() => void ask(), REST_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [calls, words, asset, network, address]);
  return look;
}
