import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  parseDecimal,
  parseSocketMessage,
  topicKey,
  writeDecimal,
} from "./wire.ts";

const decimals: fc.Arbitrary<Decimal> = fc.record({
  units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  scale: fc.integer({ min: 0, max: 24 }),
});

describe("decimal text at the edge", () => {
  test.each([
    ["", "DECIMAL_EMPTY"],
    ["1e3", "DECIMAL_MALFORMED"],
    ["1E-7", "DECIMAL_MALFORMED"],
    ["+1", "DECIMAL_MALFORMED"],
    ["01", "DECIMAL_MALFORMED"],
    [".5", "DECIMAL_MALFORMED"],
    ["5.", "DECIMAL_MALFORMED"],
    ["1.2.3", "DECIMAL_MALFORMED"],
    ["1,000", "DECIMAL_MALFORMED"],
    [" 1", "DECIMAL_MALFORMED"],
    ["1\n", "DECIMAL_MALFORMED"],
    ["0x10", "DECIMAL_MALFORMED"],
    ["NaN", "DECIMAL_MALFORMED"],
    ["Infinity", "DECIMAL_MALFORMED"],
    ["١٢", "DECIMAL_MALFORMED"],
    ["--1", "DECIMAL_MALFORMED"],
    ["-1", "DECIMAL_SIGNED"],
    ["9".repeat(65), "DECIMAL_TOO_LONG"],
  ])("[NET-4] %j is refused with %s", (text, code) => {
    expect(parseDecimal(text)).toEqual({ ok: false, code });
  });

  test("[NET-4] a sign is accepted only where it is asked for", () => {
    expect(parseDecimal("-1.50", { signed: true })).toEqual({ ok: true, value: { units: -150n, scale: 2 } });
  });

  test("[NET-4] more decimals than allowed are refused, trailing zeros are not more", () => {
    expect(parseDecimal("1.234", { scaleMax: 2 })).toEqual({ ok: false, code: "DECIMAL_TOO_PRECISE" });
    expect(parseDecimal("1.2300", { scaleMax: 2 }).ok).toBe(true);
  });

  test("[NET-4] writing and parsing are inverse for every value", () => {
    fc.assert(
      fc.property(decimals, (value) => {
        expect(parseDecimal(writeDecimal(value), { signed: true, lengthMax: 99 })).toEqual({ ok: true, value });
      }),
    );
  });

  test("[NET-4] no text makes the parser throw, and what it accepts it can write back", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^-?[0-9.e+]{0,12}$/)), (text) => {
        const result = parseDecimal(text, { signed: true });
        if (result.ok)
          expect(writeDecimal(result.value)).toBe(text === "-0" ? "0" : text.replace(/^-(0(\.0*)?)$/, "$1"));
      }),
    );
  });

  test("[NET-4] sums, products and comparisons are exact at any scale", () => {
    fc.assert(
      fc.property(decimals, decimals, (left, right) => {
        const widen = (value: Decimal) => value.units * 10n ** BigInt(48 - value.scale);
        const sum = addDecimals(left, right);
        expect(widen(sum)).toBe(widen(left) + widen(right));
        expect(multiplyDecimals(left, right).units).toBe(left.units * right.units);
        const difference = widen(left) - widen(right);
        expect(compareDecimals(left, right)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
    );
  });
});

describe("socket messages", () => {
  test("[NET-5] a frame is a message only as an object with a text event and text names", () => {
    expect(parseSocketMessage('{"event":"pong"}')).toEqual({ event: "pong" });
    expect(parseSocketMessage('{"event":"data","channel":"depth","biz":null,"data":[1]}')).toEqual({
      event: "data",
      channel: "depth",
      data: [1],
    });
    for (const text of [
      "",
      "[]",
      "null",
      "3",
      '"x"',
      "{}",
      '{"event":1}',
      '{"event":"data","channel":7}',
      '{"event":"data","sequence":"7"}',
      '{"event":"data","sequence":7,"firstSequence":1.5}',
      "{",
    ]) {
      expect(parseSocketMessage(text)).toBeUndefined();
    }
  });

  test("[NET-5] equal topics have one key, different topics have different keys", () => {
    expect(topicKey({ channel: "depth", biz: "spot" })).toBe(topicKey({ biz: "spot", channel: "depth" }));
    expect(topicKey({ channel: "depth", biz: "spot" })).not.toBe(topicKey({ channel: "depth", type: "spot" }));
  });
});
