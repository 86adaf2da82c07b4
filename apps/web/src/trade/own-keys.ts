// The terminal's keys chosen by the user: what each does, which are taken, what is kept in this browser. The rules are
// pure; the store applies a key chosen in the sheet at once.
import { type HotkeyOptions, useHotkey } from "@clockwork/ui/hooks/use-hotkey";
import { useEffect } from "react";
import { createStore } from "#live/store.ts";
import { readKept, writeKept } from "#session/kept-setting.ts";
import { useKeptSetting } from "./local-setting.ts";
import { useLinkedPart } from "./terminal-link.ts";

export const FIRST_KEYS = { pairs: "p", buy: "b", sell: "s", fullscreen: "f" } as const;
export type KeyAction = keyof typeof FIRST_KEYS;
export type OwnKeys = Readonly<Record<KeyAction, string>>;
export const KEY_ACTIONS = Object.keys(FIRST_KEYS) as readonly KeyAction[];

/** Keys that do the same everywhere, or that a product's own form has. */
const FIXED: ReadonlySet<string> = new Set(["/", "?", " ", "c", "l", "m", "r"]);

export type KeyVerdict =
  | { readonly ok: true; readonly keys: OwnKeys }
  | { readonly ok: false; readonly reason: "shape" | "fixed" }
  | { readonly ok: false; readonly reason: "taken"; readonly by: KeyAction };

/** One sign without Ctrl or Alt, that nothing else listens to. */
export function chooseKey(keys: OwnKeys, action: KeyAction, pressed: string): KeyVerdict {
  const key = pressed.toLowerCase();
  if (key.length !== 1 || key === "+") return { ok: false, reason: "shape" };
  if (FIXED.has(key)) return { ok: false, reason: "fixed" };
  const by = KEY_ACTIONS.find((other) => other !== action && keys[other] === key);
  return by === undefined ? { ok: true, keys: { ...keys, [action]: key } } : { ok: false, reason: "taken", by };
}

/** What was kept, as far as it could be chosen today: each key by the same rule, one after the other. */
export function checkKeys(value: unknown): OwnKeys | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const wanted = value as Readonly<Record<string, unknown>>;
  const texts = KEY_ACTIONS.map((action) => wanted[action]);
  if (!texts.every((text): text is string => typeof text === "string") || new Set(texts).size < texts.length)
    return undefined;
  const alone = { pairs: "", buy: "", sell: "", fullscreen: "" };
  const isGood = texts.every((text, index) => chooseKey(alone, KEY_ACTIONS[index] ?? "buy", text).ok);
  return isGood ? (wanted as OwnKeys) : undefined;
}

const ownKeys = createStore<OwnKeys>(FIRST_KEYS);

/** Reads what was kept; the answer changes it for good. */
export function useOwnKeys(): (keys: OwnKeys) => void {
  const kept = useKeptSetting({ name: "keys", check: checkKeys });
  useEffect(() => ownKeys.set(readKept(kept) ?? FIRST_KEYS), [kept]);
  return (keys) => {
    ownKeys.set(keys);
    writeKept(kept, keys);
  };
}

export function useKeyOf(action: KeyAction): string {
  return useLinkedPart(ownKeys, (keys) => keys[action]);
}

export function readOwnKeys(): OwnKeys {
  return ownKeys.get();
}

/** Runs an action on the key the user has for it. */
export function useOwnHotkey(action: KeyAction, run: () => void, options?: HotkeyOptions): void {
  useHotkey(useKeyOf(action), run, options);
}
