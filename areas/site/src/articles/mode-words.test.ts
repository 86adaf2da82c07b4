import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { findSimulationWords, fitToMode, modeFactsOf, readSeed } from "./rules.ts";
import { findSimulationTexts, readSeeds } from "./seed-files.ts";

const CONTENT = join(resolve(import.meta.dirname, "../../../.."), "content");
const TEST_RUN = modeFactsOf(true, true);
const PRODUCTION = modeFactsOf(false, false);

test("[OPS-7] no text of the repository speaks of simulation, test funds or samples in production, and the test run has them", () => {
  expect(findSimulationTexts(CONTENT, PRODUCTION)).toEqual([]);
  expect(findSimulationTexts(CONTENT, TEST_RUN).length).toBeGreaterThan(5);
});

test("[OPS-7] no text of production links to one that it does not show", () => {
  const seeds = readSeeds(CONTENT, PRODUCTION);
  const hidden = seeds.filter(({ isWithdrawn }) => isWithdrawn === true).map(({ slug }) => `/${slug})`);
  expect(hidden.length).toBeGreaterThan(2);
  const links = seeds
    .filter(({ isWithdrawn }) => isWithdrawn !== true)
    .flatMap(({ slug, body }) => hidden.filter((link) => body.includes(link)).map((link) => `${slug} links ${link}`));
  expect(links).toEqual([]);
});

test("[OPS-7] a part of a text is kept where its mode holds, and a mark without its other half is a mistake", () => {
  const text = "a {{#testFunds}}test{{/testFunds}}{{^testFunds}}real{{/testFunds}} {{legalName}}";
  expect([fitToMode(text, TEST_RUN), fitToMode(text, PRODUCTION)]).toEqual([
    "a test {{legalName}}",
    "a real {{legalName}}",
  ]);
  expect(() => fitToMode("{{#testFunds}}a", TEST_RUN)).toThrow("other half");
  expect(() => fitToMode("{{#weather}}a{{/weather}}", TEST_RUN)).toThrow("weather");
});

test("[OPS-7] a document of one mode is withdrawn in the other; words are found in any case, and a simulator is none", () => {
  const text = "---\ntitle: T\nchanged: 2026-11-15\nonly: testFunds\n---\nb";
  expect(readSeed("help", "s", text, PRODUCTION).isWithdrawn).toBe(true);
  expect(readSeed("help", "s", text, TEST_RUN)).not.toHaveProperty("isWithdrawn");
  expect(() => readSeed("help", "s", text.replace("testFunds", "weather"), TEST_RUN)).toThrow("help/s");
  expect(findSimulationWords("A Simulated market")).toBe("Simulated");
  expect(findSimulationWords("A simulator, sampled every second; samples")).toBeUndefined();
});
