// Proves that a variable without a declaration, and a declaration without a reader, are reported.
import { expect, test } from "vitest";
import { judgeUse } from "./settings.ts";

const KEYS = { PORT: "port", CW_MODE: "mode" };

test("[OPS-7] a variable that is no setting is reported with its file; those of tests and examples are not", () => {
  const texts = [
    ["a.ts", "config.port; config.mode; // CW_MODE, CW_TEST_X, CW_API_KEY"],
    ["docs/b.md", "set `CW_MODUS` and CW_BENCH_*"],
  ] as const;
  expect(judgeUse(KEYS, texts)).toEqual(["docs/b.md: CW_MODUS is no setting; declare it in host/src/settings/"]);
});

test("[OPS-7] a setting that no code reads is reported", () => {
  const texts = [
    ["a.ts", "config.port"],
    ["docs/b.md", "mode"],
    ["host/src/settings/c-settings.ts", "mode: choiceSetting()"],
  ] as const;
  expect(judgeUse(KEYS, texts)).toEqual(["host/src/settings/: nothing reads CW_MODE"]);
});
