// Small settings of the terminal kept in this browser, per user where somebody is signed in. Storage that fails, or
// text that does not read, counts as nothing kept.
import { useCallback, useEffect, useState } from "react";
import { useGlobal } from "#boot/state.ts";

const PREFIX = "cw_terminal";

export function readSetting(key: string): unknown {
  try {
    const text = localStorage.getItem(`${PREFIX}:${key}`);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function writeSetting(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`${PREFIX}:${key}`);
    else localStorage.setItem(`${PREFIX}:${key}`, JSON.stringify(value));
  } catch {
    // Without storage the setting lives as long as the page.
  }
}

/** Who the settings belong to: the signed-in user, or whoever uses this browser. */
export function useSettingOwner(): string {
  return useGlobal((state) => state.topInfo.id) ?? "guest";
}

/** The server and the first paint show `initial`; what was kept follows at once after waking. */
export function useSetting<Value>(
  name: string,
  initial: Value,
  check: (value: unknown) => Value | undefined,
): readonly [Value, (value: Value) => void] {
  const key = `${useSettingOwner()}:${name}`;
  const [value, setValue] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once per key; initial and check are constants
  useEffect(() => {
    const kept = check(readSetting(key));
    setValue(kept ?? initial);
  }, [key]);
  const change = useCallback(
    (next: Value) => {
      setValue(next);
      writeSetting(key, next);
    },
    [key],
  );
  return [value, change];
}

export function checkOneOf<Value extends string>(values: readonly Value[]): (value: unknown) => Value | undefined {
  return (value) => values.find((known) => known === value);
}
