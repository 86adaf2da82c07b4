import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const CSS = readFileSync(new URL("../tokens.css", import.meta.url), "utf8");

type Theme = Readonly<Record<string, string>>;

/** The plain colours of one block of the style sheet. */
function readBlock(selector: string): Theme {
  const at = CSS.indexOf(selector);
  const block = CSS.slice(CSS.indexOf("{", at) + 1, CSS.indexOf("}", at));
  return Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1], found[2]]));
}

const light = readBlock('[data-theme="light"] {');
const dark = readBlock('\n[data-theme="dark"] {');
const terminal = { ...dark, ...readBlock('[data-theme="dark"][data-surface="terminal"]') };
const THEMES: Readonly<Record<string, Theme>> = { light, dark, terminal };

function channels(hex: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function luminance(rgb: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function colour(theme: Theme, name: string): readonly number[] {
  const hex = theme[name];
  if (hex === undefined) throw new Error(`no --${name}`);
  return channels(hex);
}

/** `share` of a colour over a ground, as washes are painted. */
function wash(over: readonly number[], ground: readonly number[], share: number): readonly number[] {
  return over.map((value, index) => value * share + (ground[index] ?? 0) * (1 - share));
}

const GROUNDS = ["bg", "surface", "raised", "hover", "active"];
const ON_GROUNDS = ["text", "muted", "green-text", "red-text", "danger", "warn", "info"];
/** Coloured small text is only set on these. */
const QUIET = ["bg", "surface", "hover"];
const PAIRS = [
  ["on-text", "text"],
  ["on-green", "green-solid"],
  ["on-red", "red-solid"],
  ["on-accent", "accent"],
  ["on-tooltip", "tooltip"],
  ["warn", "warn-soft"],
  ["danger", "danger-soft"],
  ["info", "info-soft"],
  ["code-text", "code-bg"],
] as const;

describe("contrast", () => {
  for (const [name, theme] of Object.entries(THEMES)) {
    it(`[SITE-20] ${name}: text is AA on every background it is used on`, () => {
      const faint: string[] = [];
      const measure = (what: string, one: readonly number[], other: readonly number[], least: number) => {
        const found = contrast(one, other);
        if (found < least) faint.push(`${what} ${found.toFixed(2)} < ${least}`);
      };
      for (const ink of ON_GROUNDS) {
        for (const ground of ink === "text" || ink === "muted" ? GROUNDS : QUIET) {
          measure(`${ink} on ${ground}`, colour(theme, ink), colour(theme, ground), 4.5);
        }
      }
      for (const [ink, ground] of PAIRS) measure(`${ink} on ${ground}`, colour(theme, ink), colour(theme, ground), 4.5);
      measure("white on accent-solid", [255, 255, 255], colour(theme, "accent-solid"), 4.5);
      measure("white on accent-solid-hover", [255, 255, 255], colour(theme, "accent-solid-hover"), 4.5);
      for (const side of ["green", "red"]) {
        const ground = wash(colour(theme, side), colour(theme, "bg"), 0.14);
        measure(`${side}-text on its wash`, colour(theme, `${side}-text`), ground, 4.5);
        measure(`${side} as a line`, colour(theme, side), colour(theme, "bg"), 3);
      }
      measure("focus ring", colour(theme, "accent"), colour(theme, "bg"), 3);
      measure("checkbox edge", colour(theme, "faint"), colour(theme, "bg"), 3);
      expect(faint).toEqual([]);
    });
  }
});
