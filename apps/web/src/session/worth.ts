// The worth of all wallets of the account, as every screen shows it: one number, live, and none where the exchange
// withholds totals (the Hbt switch).
import { type GlobalState, useGlobal } from "#boot/state.ts";

/** In USDT, exact; nothing before it is loaded, and where totals are withheld. */
export function readWorth(
  { globalConfig, totalAsset }: Pick<GlobalState, "globalConfig" | "totalAsset">,
  served?: string,
) {
  return globalConfig.hbtSwitch === "1" ? undefined : (totalAsset?.amount ?? served);
}

/** `served` is used until the page's own total is there. */
export function useWorth(served?: string): string | undefined {
  return useGlobal((state) => readWorth(state, served));
}

/** True where nothing may say what an account is worth. */
export function useWithheld(): boolean {
  return useGlobal((state) => state.globalConfig.hbtSwitch === "1");
}
