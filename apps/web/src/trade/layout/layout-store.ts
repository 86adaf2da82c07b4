// The terminal's layout in this browser: the one in use in a cookie, so that the server paints it at once; named ones
// in local storage, per user.
import { createContext, use, useMemo, useState } from "react";
import { formatPreferenceCookie } from "#boot/preferences.ts";
import { useSetting } from "#trade/local-setting.ts";
import { DEFAULT_LAYOUT, decodeLayout, encodeLayout, type Layout } from "./layout-model.ts";

export interface SavedLayout {
  readonly name: string;
  readonly code: string;
}

export const SAVED_MAX = 12;
export const LAYOUT_NAME_MAX = 24;

export interface LayoutControl {
  readonly layout: Layout;
  readonly change: (next: Layout) => void;
  readonly reset: () => void;
  readonly saved: readonly SavedLayout[];
  readonly save: (name: string) => void;
  readonly remove: (name: string) => void;
  readonly isArranging: boolean;
  readonly arrange: (isArranging: boolean) => void;
}

export const LayoutContext = createContext<LayoutControl | undefined>(undefined);

export function useLayout(): LayoutControl {
  const control = use(LayoutContext);
  if (control === undefined) throw new Error("SPOT-4: a panel outside the terminal frame");
  return control;
}

function keepLayout(code: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store API is not in every browser we serve
  document.cookie = formatPreferenceCookie("layout", code, location.protocol === "https:");
}

function checkSaved(value: unknown): readonly SavedLayout[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value
    .filter((entry: Partial<SavedLayout> | null) => typeof entry?.name === "string" && typeof entry.code === "string")
    .slice(0, SAVED_MAX) as readonly SavedLayout[];
}

const SAVED = { name: "layouts", check: checkSaved };
const NONE: readonly SavedLayout[] = [];

export function useLayoutControl(served: string | null): LayoutControl {
  const [layout, setLayout] = useState(() => decodeLayout(served ?? undefined));
  const [saved, setSaved] = useSetting<readonly SavedLayout[]>(SAVED, NONE);
  const [isArranging, arrange] = useState(false);
  // The same object until something changed: panels that still sleep would be drawn anew by another one.
  return useMemo(() => {
    const change = (next: Layout) => {
      setLayout(next);
      keepLayout(encodeLayout(next));
    };
    const others = (name: string) => saved.filter((entry) => entry.name !== name);
    return {
      layout,
      change,
      reset: () => change(DEFAULT_LAYOUT),
      saved,
      save: (name: string) => {
        const entry = { name: name.trim().slice(0, LAYOUT_NAME_MAX), code: encodeLayout(layout) };
        if (entry.name !== "") setSaved([...others(entry.name), entry].slice(-SAVED_MAX));
      },
      remove: (name: string) => setSaved(others(name)),
      isArranging,
      arrange,
    };
  }, [layout, saved, setSaved, isArranging]);
}
