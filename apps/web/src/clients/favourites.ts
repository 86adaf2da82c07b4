// The pairs a visitor starred: kept with the account when signed in, in this browser otherwise. One list for every page
// and panel; what could not be kept is taken back.
import { useEffect, useSyncExternalStore } from "react";
import { useGlobal } from "#boot/state.ts";
import type { RequestClient } from "#live/request.ts";
import { createStore } from "#live/store.ts";
import { useCalls } from "#session/auth-context.ts";
import { type KeptSetting, readKept, sameShape, writeKept } from "#session/kept-setting.ts";

const PATH = "/v1/spot/favourites";
const FAVOURITES_MAX = 200;
const NONE: readonly string[] = [];

const store = createStore<readonly string[]>(NONE);
/** Whose list the store holds; empty for a visitor. */
let loadedFor: string | undefined;

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

async function load(owner: string, served: readonly string[] | null, calls: () => Promise<RequestClient>) {
  loadedFor = owner;
  if (owner === "") return store.set(readKept(KEPT) ?? NONE);
  if (served !== null) return store.set(served);
  const answer = await (await calls()).get<unknown>(PATH, {});
  const codes = answer.ok ? readCodes(answer.data) : undefined;
  if (codes !== undefined && loadedFor === owner) store.set(codes);
}

async function keep(owner: string, next: readonly string[], calls: () => Promise<RequestClient>): Promise<void> {
  const before = store.get();
  store.set(next);
  if (owner === "") {
    writeKept(KEPT, next);
    return;
  }
  const answer = await (await calls()).postJson(PATH, { pairCodes: next });
  // A star that was not kept must not shine.
  if (!answer.ok && store.get() === next) store.set(before);
}

export interface Favourites {
  readonly codes: readonly string[];
  readonly isFavourite: (pairCode: string) => boolean;
  readonly toggle: (pairCode: string) => void;
}

/** `served` is what the page came with, where it asked for the list. */
export function useFavourites(served: readonly string[] | null = null): Favourites {
  const owner = useGlobal((state) => state.topInfo.id) ?? "";
  const calls = useCalls();
  const read = () => (loadedFor === owner ? store.get() : (served ?? NONE));
  const codes = useSyncExternalStore(store.subscribe, read, () => served ?? NONE);
  useEffect(() => {
    if (loadedFor !== owner) void load(owner, served, calls);
  }, [owner, served, calls]);
  return {
    codes,
    isFavourite: (pairCode) => codes.includes(pairCode),
    toggle: (pairCode) => {
      const others = codes.filter((code) => code !== pairCode);
      void keep(owner, (others.length === codes.length ? [...codes, pairCode] : others).slice(-FAVOURITES_MAX), calls);
    },
  };
}
