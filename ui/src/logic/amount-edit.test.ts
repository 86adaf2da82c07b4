import { groupThousands } from "@clockwork/kit/decimal";
import { checkNumber } from "@clockwork/kit/validate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AmountRules, editAmount, findFault, toText, toValue } from "./amount-edit.ts";
import { compareDecimals, isMultiple, isPlainDecimal, moveBySteps } from "./decimal-text.ts";

const rules: AmountRules = { places: 4 };

/** Pictures: the bar is the caret. */
function edit(before: string, after: string, with_: AmountRules = rules): string {
  const state = (picture: string) => ({ text: picture.replace("|", ""), caret: picture.indexOf("|") });
  const result = editAmount(state(before), state(after), with_);
  return `${result.text.slice(0, result.caret)}|${result.text.slice(result.caret)}`;
}

describe("amount editing", () => {
  it("[AUTH-9] groups while typing and the caret remains behind the typed digit", () => {
    expect(edit("100|", "1000|")).toBe("1,000|");
    expect(edit("1,0|00", "1,09|00")).toBe("10,9|00");
    expect(edit("|1,000", "9|1,000")).toBe("9|1,000");
    expect(edit("99|9,999", "991|9,999")).toBe("9,91|9,999");
  });

  it("[AUTH-9] accepts 1,000.5 typed key by key and pasted whole", () => {
    let text = "";
    for (const key of "1,000.5") {
      const result = editAmount(
        { text, caret: text.length },
        { text: text + key, caret: text.length + 1 },
        { places: 2 },
      );
      text = result.text;
    }
    expect(text).toBe("1,000.5");
    expect(toValue(text)).toBe("1000.5");
    expect(edit("|", "1,000.5|")).toBe("1,000.5|");
    expect(edit("|", " 12 345.6 |")).toBe("12,345.6|");
  });

  it("[AUTH-9] a paste that two readers would read differently is refused and keeps what was there", () => {
    for (const paste of ["1.000,5", "1,5", "1,00,000", "12,34.5"]) {
      const result = editAmount({ text: "7", caret: 1 }, { text: paste, caret: paste.length }, rules);
      expect([paste, result.text, result.refused]).toEqual([paste, "7", true]);
    }
  });

  it("[AUTH-9] exponents, signs and letters are refused", () => {
    for (const bad of ["1e5", "-5", "+5", "0x10", "NaN", "Infinity", "٣"]) {
      const result = editAmount({ text: "", caret: 0 }, { text: bad, caret: bad.length }, rules);
      expect([bad, result.text, result.refused]).toEqual([bad, "", true]);
    }
  });

  it("[AUTH-9] leading zeros and extra points are stripped", () => {
    expect(edit("0|", "00|")).toBe("0|");
    expect(edit("0|", "07|")).toBe("7|");
    expect(edit("|", ".|")).toBe("0.|");
    expect(edit("0.1|", "0.1.|")).toBe("0.1|");
    expect(edit("|", "000.5|")).toBe("0.5|");
  });

  it("[AUTH-9] a digit past the precision is not taken, a longer paste is cut towards zero", () => {
    expect(edit("1.2345|", "1.23456|")).toBe("1.2345|");
    expect(edit("|", "1.99999|")).toBe("1.9999|");
    expect(edit("1|", "1.|", { places: 0 })).toBe("1|");
  });

  it("[AUTH-9] deleting a grouping comma deletes the digit next to it", () => {
    expect(edit("1,|000", "1|000")).toBe("|0");
    expect(edit("12,|345", "12|345")).toBe("1|,345");
    expect(edit("12|,345", "12|345")).toBe("1,2|45");
  });

  it("[AUTH-9] full-width digits from East Asian keyboards are digits", () => {
    expect(edit("|", "１，０００．５|")).toBe("1,000.5|");
  });

  it("[AUTH-9] for any input, the value is empty or a plain decimal within the precision", () => {
    const keys = fc.array(fc.constantFrom(..."0123456789.,- eE", "BACK", "LEFT"), { maxLength: 40 });
    fc.assert(
      fc.property(keys, fc.nat(8), (presses, places) => {
        let state = { text: "", caret: 0 };
        for (const key of presses) {
          if (key === "LEFT") state = { ...state, caret: Math.max(0, state.caret - 1) };
          else if (key === "BACK") {
            if (state.caret === 0) continue;
            const text = state.text.slice(0, state.caret - 1) + state.text.slice(state.caret);
            state = editAmount(state, { text, caret: state.caret - 1 }, { places });
          } else {
            const text = state.text.slice(0, state.caret) + key + state.text.slice(state.caret);
            state = editAmount(state, { text, caret: state.caret + 1 }, { places });
          }
          const value = toValue(state.text);
          expect(value === "" || isPlainDecimal(value)).toBe(true);
          expect(findFault(value, { places })).toBeUndefined();
          expect(state.caret).toBeGreaterThanOrEqual(0);
          expect(state.caret).toBeLessThanOrEqual(state.text.length);
          if (value !== "" && !state.text.endsWith(".")) expect(state.text).toBe(groupThousands(value));
        }
      }),
    );
  });
});

describe("amount faults", () => {
  it("[AUTH-9] compares exactly where floats cannot", () => {
    const tight = { places: 18, max: "9007199254740993.000000000000000001" };
    expect(findFault("9007199254740993.000000000000000001", tight)).toBeUndefined();
    expect(findFault("9007199254740993.000000000000000002", tight)).toBe("above-max");
  });

  it("[AUTH-9] names the first reason the receiver would give", () => {
    const all = { places: 2, min: "1", max: "10", step: "0.05" };
    expect(findFault("", all)).toBeUndefined();
    expect(findFault("0.99", all)).toBe("below-min");
    expect(findFault("10.01", all)).toBe("above-max");
    expect(findFault("1.01", all)).toBe("off-step");
    expect(findFault("1.001", all)).toBe("illegal");
    expect(findFault("1e1", all)).toBe("illegal");
    expect(toText("1e1")).toBe("");
  });
});

describe("one rule for field and server", () => {
  const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
  const decimal = fc
    .tuple(digits(12), fc.option(digits(8), { nil: undefined }))
    .map(([whole, fraction]) => (fraction === undefined ? whole : `${whole}.${fraction}`));

  const bound = decimal.map((text) => text.replace(/^0+(?=\d)/, ""));

  it("[AUTH-9] what the field lets through, the shared check lets through; it is stricter only on zeros past the precision", () => {
    const anything = fc.oneof(
      decimal,
      fc.string({ minLength: 1, maxLength: 12 }),
      fc.constantFrom("1e5", "-1", "1.", ".5"),
    );
    fc.assert(
      fc.property(anything, fc.nat(8), bound, bound, (text, places, min, max) => {
        const field = findFault(text, { places, min, max });
        const shared = checkNumber(text, { min, max }, places);
        const isLong = (text.split(".")[1] ?? "").length > places;
        if (field === undefined) expect([text, shared]).toEqual([text, undefined]);
        if (shared === undefined && !isLong) expect([text, field]).toEqual([text, undefined]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("decimal text", () => {
  it("adds, steps, cuts and takes percent without floats", () => {
    expect(moveBySteps("10.03", "0.1", 1)).toBe("10.1");
    expect(moveBySteps("10.03", "0.1", -1)).toBe("10.0");
    expect(moveBySteps("0.0", "0.1", -1)).toBe("0.0");
    expect(moveBySteps("64120.0", "0.5", 10)).toBe("64125.0");
    expect(isMultiple("0.3", "0.1")).toBe(true);
    expect(compareDecimals("-1", "1")).toBe(-1);
    expect(compareDecimals("1.0", "1")).toBe(0);
  });

  it("stepping up then down returns to the grid", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 20n), fc.integer({ min: 1, max: 50 }), (units, count) => {
        const value = `${units}.0`;
        expect(moveBySteps(moveBySteps(value, "0.1", count), "0.1", -count)).toBe(value);
      }),
    );
  });
});
