// Gives the account an identity level in the default run, as one press gives test funds.
import { KYC_CALLS } from "@clockwork/identity/kyc/contract";
import { USER_CALLS } from "@clockwork/identity/users/contract";
import { useState } from "react";
import { useGlobalStore } from "#boot/state.ts";
import { useCalls } from "./auth-context.ts";

export function useTestLevel(level: number): {
  readonly state: "ready" | "busy" | "failed";
  readonly verify: () => void;
} {
  const calls = useCalls();
  const store = useGlobalStore();
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready");
  const verify = async () => {
    setState("busy");
    const request = await calls();
    const given = await request.call(KYC_CALLS.giveLevel, { level }, { api: "root" });
    const read = given.ok ? await request.call(USER_CALLS.topInfo, {}) : given;
    setState(read.ok ? "ready" : "failed");
    if (read.ok && "userInfo" in read.data)
      store.setState({ topInfo: { ...store.getState().topInfo, userInfo: read.data.userInfo } });
  };
  return { state, verify: () => void verify() };
}
