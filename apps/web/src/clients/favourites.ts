// The pairs a visitor starred: kept with the account when signed in, in this browser otherwise. One list for every page
// and panel; what could not be kept is taken back.
import { MARKET_CALLS } from "@clockwork/trading/markets/contract";
import { useEffect, useSyncExternalStore } from "react";
import { useGlobal } from "#boot/state.ts";
import type { RequestClient } from "#live/request.ts";
import { createStore } from "#live/store.ts";
import { useCalls } from "#session/auth-context.ts";
import { type KeptSetting, readKept, sameShape, writeKept } from "#session/kept-setting.ts";
import { FAVOURITES_MAX, type FavouriteHome, FavouriteList } from "./favourite-list.ts";

const NONE: readonly string[] = [];

const store = createStore<readonly string[]>(NONE);
/** Whose list the store holds; empty for a visitor. */
let loaded: { readonly owner: string; readonly list: FavouriteList } | undefined;

function readCodes(value: unknown): readonly string[] | undefined {
  const codes = Array.isArray(value) ? value : (value as { pairCodes?: unknown } | null | undefined)?.pairCodes;
  if (!Array.isArray(codes)) return undefined;
  return codes.filter((code): code is string => typeof code === "string").slice(0, FAVOURITES_MAX);
}

const KEPT: KeptSetting<readonly string[]> = {
  key: "cw_terminal:favourites",
  steps: [sameShape],
  check: readCodes,
};

/** Where storage is forbidden the stars shine as long as the page does. */
const BROWSER: FavouriteHome = {
  read: async () => readKept(KEPT) ?? NONE,
  write: async (codes) => {
    writeKept(KEPT, codes);
    return true;
  },
};

function accountHome(calls: () => Promise<RequestClient>): FavouriteHome {
  return {
    read: async () => {
      const answer = await (await calls()).call(MARKET_CALLS.favourites, {});
      return answer.ok ? readCodes(answer.data) : undefined;
    },
    write: async (pairCodes) =>
      (await (await calls()).call(MARKET_CALLS.saveFavourites, { pairCodes: [...pairCodes] })).ok,
  };
}

function load(owner: string, served: readonly string[] | null, calls: () => Promise<RequestClient>): void {
  loaded?.list.end();
  const list =
    owner === ""
      ? new FavouriteList(BROWSER, store, readKept(KEPT) ?? NONE)
      : new FavouriteList(accountHome(calls), store, served ?? undefined);
  loaded = { owner, list };
}

export interface Favourites {
  readonly codes: readonly string[];
  readonly isFavourite: (pairCode: string) => boolean;
  readonly toggle: (pairCode: string) => void;
}

/** `served` is the list of the page's own data, where it requested it. */
export function useFavourites(served: readonly string[] | null = null): Favourites {
  const owner = useGlobal((state) => state.topInfo.id) ?? "";
  const calls = useCalls();
  const read = () => (loaded?.owner === owner ? store.get() : (served ?? NONE));
  const codes = useSyncExternalStore(store.subscribe, read, () => served ?? NONE);
  useEffect(() => {
    if (loaded?.owner !== owner) load(owner, served, calls);
  }, [owner, served, calls]);
  return {
    codes,
    isFavourite: (pairCode) => codes.includes(pairCode),
    toggle: (pairCode) => {
      if (loaded?.owner === owner) loaded.list.toggle(pairCode);
    },
  };
}
