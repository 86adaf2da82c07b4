// Settings this browser keeps for a visitor: each carries the version of its shape, and an older one is brought forward
// step by step when it is read. Storage that fails, text that does not read and a version from the future count as
// nothing kept.

/** From one version of a setting's value to the next. */
export type Step = (value: unknown) => unknown;

/** A step for a shape that did not change: the text only got its version. */
export const sameShape: Step = (value) => value;

export interface KeptSetting<Value> {
  readonly key: string;
  /** Keys it was kept under before; what is found there moves over. */
  readonly formerKeys?: readonly string[];
  /** steps[0] takes what was kept before versions were written; the version of today is the number of steps. */
  readonly steps: readonly Step[];
  readonly check: (value: unknown) => Value | undefined;
}

type KeptStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

function browserStorage(): KeptStorage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** `{"version":1,"value":…}`; any other text is from before versions were written. */
function readVersion(text: string): { readonly version: number; readonly value: unknown } {
  const kept: unknown = JSON.parse(text);
  const { version, value } = (typeof kept === "object" && kept !== null ? kept : {}) as Record<string, unknown>;
  return typeof version === "number" && value !== undefined ? { version, value } : { version: 0, value: kept };
}

export function readKept<Value>(
  setting: KeptSetting<Value>,
  storage: KeptStorage | undefined = browserStorage(),
): Value | undefined {
  const { key, formerKeys = [], steps, check } = setting;
  try {
    for (const name of [key, ...formerKeys]) {
      const text = storage?.getItem(name) ?? null;
      if (text === null) continue;
      const { version, value } = readVersion(text);
      if (version > steps.length) return undefined;
      const now = check(steps.slice(version).reduce((older, step) => step(older), value));
      if (now !== undefined && (name !== key || version < steps.length)) {
        writeKept(setting, now, storage);
        if (name !== key) storage?.removeItem(name);
      }
      return now;
    }
  } catch {
    // What does not read was not kept.
  }
  return undefined;
}

/** A failed write changes nothing. Returns whether it was kept. */
export function writeKept<Value>(
  { key, steps }: KeptSetting<Value>,
  value: Value | undefined,
  storage: KeptStorage | undefined = browserStorage(),
): boolean {
  try {
    if (value === undefined) storage?.removeItem(key);
    else storage?.setItem(key, JSON.stringify({ version: steps.length, value }));
    return storage !== undefined;
  } catch {
    return false;
  }
}
