// Reads hotkey texts such as "mod+k", "shift+?" or "Escape" and matches them to key events. No DOM.

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export interface Hotkey {
  readonly key: string;
  readonly mod: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export function readHotkey(text: string): Hotkey {
  const parts = text === "+" ? ["+"] : text.split("+");
  const key = (parts.at(-1) ?? "").toLowerCase();
  const names = parts.slice(0, -1).map((part) => part.toLowerCase());
  return { key, mod: names.includes("mod"), alt: names.includes("alt"), shift: names.includes("shift") };
}

/** "mod" is Ctrl, or Command on a Mac. Shift is not required for characters that need it to be typed, such as "?". */
export function matchesHotkey(hotkey: Hotkey, press: KeyPress): boolean {
  if (press.key.toLowerCase() !== hotkey.key) return false;
  if ((press.ctrlKey || press.metaKey) !== hotkey.mod || press.altKey !== hotkey.alt) return false;
  const sign = hotkey.key.length === 1 && !/[a-z0-9]/.test(hotkey.key);
  return sign || press.shiftKey === hotkey.shift;
}
