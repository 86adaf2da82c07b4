// Small settings of a terminal kept in this browser, per signed-in user. Settings about one instrument are stored per
// product too.
import { useCallback, useEffect, useMemo, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { type KeptSetting, readKept, sameShape, writeKept } from "#session/kept-setting.ts";
import { useProduct } from "./product.ts";

const PREFIX = "cw_terminal";

export interface SettingName<Value> {
  readonly name: string;
  /** The instrument it is about; without one it is the same for every product. */
  readonly pairCode?: string;
  readonly check: (value: unknown) => Value | undefined;
}

/** The owner of the settings: the signed-in user, or this browser. */
function useOwner(): string {
  return useGlobal((state) => state.topInfo.id) ?? "guest";
}

/** The same object while owner, product and instrument are the same. `check` must keep its meaning. */
export function useKeptSetting<Value>({ name, pairCode, check }: SettingName<Value>): KeptSetting<Value> {
  const owner = useOwner();
  const { biz, formerSettingKeys } = useProduct();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a check written in place means the same each time
  return useMemo(
    () => ({
      key: [PREFIX, owner, ...(pairCode === undefined ? [name] : [biz, name, pairCode])].join(":"),
      formerKeys: pairCode === undefined ? [] : (formerSettingKeys?.(PREFIX, owner, name, pairCode) ?? []),
      steps: [sameShape],
      check,
    }),
    [owner, biz, formerSettingKeys, name, pairCode],
  );
}

/** The server and the first paint show `initial`; what was kept follows at once after waking. */
export function useSetting<Value>(
  setting: SettingName<Value>,
  initial: Value,
): readonly [Value, (value: Value) => void] {
  const kept = useKeptSetting(setting);
  const [value, setValue] = useState(initial);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once per key; initial is a constant
  useEffect(() => setValue(readKept(kept) ?? initial), [kept]);
  const change = useCallback(
    (next: Value) => {
      setValue(next);
      writeKept(kept, next);
    },
    [kept],
  );
  return [value, change];
}

export function checkOneOf<Value extends string>(values: readonly Value[]): (value: unknown) => Value | undefined {
  return (value) => values.find((known) => known === value);
}
