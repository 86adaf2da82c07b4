// The pairs a visitor starred: kept with the account when signed in, in this browser otherwise.
import { useEffect, useState } from "react";
import { useCalls } from "#frame/auth-context.ts";
import { useGlobal } from "#frame/state.ts";

const PATH = "/v1/spot/favourites";
/** The terminal keeps a visitor's stars under the same name. */
const KEY = "cw_terminal:favourites";
const FAVOURITES_MAX = 200;

function readKept(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((code): code is string => typeof code === "string") : [];
  } catch {
    return [];
  }
}

export interface Favourites {
  readonly codes: ReadonlySet<string>;
  readonly toggle: (pairCode: string) => void;
}

export function useFavourites(served: readonly string[] | null): Favourites {
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  const calls = useCalls();
  const [codes, setCodes] = useState<readonly string[]>(served ?? []);
  useEffect(() => {
    if (!isSignedIn) setCodes(readKept());
  }, [isSignedIn]);
  const keep = async (next: readonly string[], before: readonly string[]) => {
    setCodes(next);
    if (isSignedIn) {
      const answer = await (await calls()).postJson(PATH, { pairCodes: next });
      // A star that was not kept must not shine.
      if (!answer.ok) setCodes(before);
      return;
    }
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Kept for this visit only.
    }
  };
  return {
    codes: new Set(codes),
    toggle: (pairCode) => {
      const others = codes.filter((code) => code !== pairCode);
      void keep((others.length === codes.length ? [...codes, pairCode] : others).slice(-FAVOURITES_MAX), codes);
    },
  };
}
