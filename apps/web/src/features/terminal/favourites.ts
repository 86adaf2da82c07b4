// The pairs a visitor starred: kept with the account when signed in, in this browser otherwise. One list for the page.
import { useContext, useEffect, useSyncExternalStore } from "react";
import { useGlobal } from "#frame/state.ts";
import { RequestContext } from "#live/react.ts";
import type { RequestClient } from "#live/request.ts";
import { createStore } from "#live/store.ts";
import { readSetting, writeSetting } from "./local-setting.ts";

const PATH = "/v1/spot/favourites";
const FAVOURITES_MAX = 200;
const NONE: readonly string[] = [];

const store = createStore<readonly string[]>(NONE);
let loadedFor: string | undefined;

function readCodes(value: unknown): readonly string[] | undefined {
  const codes = Array.isArray(value) ? value : (value as { pairCodes?: unknown } | undefined)?.pairCodes;
  if (!Array.isArray(codes)) return undefined;
  return codes.filter((code): code is string => typeof code === "string").slice(0, FAVOURITES_MAX);
}

async function load(owner: string | null, request: RequestClient | undefined): Promise<void> {
  const kept = readCodes(readSetting("favourites")) ?? NONE;
  store.set(kept);
  if (owner === null || request === undefined) return;
  const answer = await request.get<unknown>(PATH, {});
  const served = answer.ok ? readCodes(answer.data) : undefined;
  if (served !== undefined && loadedFor === owner) store.set(served);
}

export interface Favourites {
  readonly codes: readonly string[];
  readonly isFavourite: (pairCode: string) => boolean;
  readonly toggle: (pairCode: string) => void;
}

export function useFavourites(): Favourites {
  const owner = useGlobal((state) => state.topInfo.id);
  const request = useContext(RequestContext);
  const codes = useSyncExternalStore(store.subscribe, store.get, () => NONE);
  useEffect(() => {
    if (request === undefined || loadedFor === (owner ?? "")) return;
    loadedFor = owner ?? "";
    void load(owner, request);
  }, [owner, request]);
  return {
    codes,
    isFavourite: (pairCode) => codes.includes(pairCode),
    toggle: (pairCode) => {
      const others = codes.filter((code) => code !== pairCode);
      const next = (others.length === codes.length ? [...codes, pairCode] : others).slice(-FAVOURITES_MAX);
      store.set(next);
      if (owner === null) writeSetting("favourites", next);
      else void request?.postJson(PATH, { pairCodes: next });
    },
  };
}
