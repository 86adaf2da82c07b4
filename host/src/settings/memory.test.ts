import { expect, test } from "vitest";
import { describeMemory } from "./config.ts";

test("[OPS-6] a start with less memory than is needed is refused with both figures", () => {
  expect(describeMemory(1_500, 1_500e6)).toBeUndefined();
  expect(describeMemory(0, 1)).toBeUndefined();
  expect(describeMemory(1_500, 1_023.9e6)).toEqual({
    setting: "CW_MEMORY_MIN_MB",
    message: "1023 MB of memory are here, 1500 are needed: give the machine more, or lower the setting for a try",
  });
});
