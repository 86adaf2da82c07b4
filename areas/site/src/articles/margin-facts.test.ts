// The worked examples of the texts, against the vectors of the rules.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { marginFacts } from "./margin-facts.ts";
import { readSeeds } from "./seed-files.ts";

const CONTENT = join(import.meta.dirname, "../../../../content");

test("[FUT-2] the examples are the vectors of the rules", () => {
  expect(marginFacts()).toMatchObject({
    exampleTwentyMargin: "2,500",
    exampleTwentyLiquidation: "47,719.5",
    exampleTwentyBankruptcy: "47,528.5",
    exampleMaintenance: "200",
    exampleOpenFee: "30",
    exampleProfit: "1,000",
    exampleFunding: "5",
    exampleInverseCost: "1.2",
    exampleInverseMargin: "0.12",
    exampleInverseLiquidation: "45,663.6",
    exampleInverseBankruptcy: "45,481.8",
    exampleInverseBacked: "none",
    contractTakerRate: "0.06 %",
  });
});

test("[FUT-2] every figure in the texts about futures is computed, and every computed one is used", () => {
  const answer = new Set(
    readSeeds(CONTENT, new Set()).flatMap(({ body, summary }) =>
      [...`${summary}${body}`.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name),
    ),
  );
  const company = new Set(Object.keys(JSON.parse(readFileSync(join(CONTENT, "company.json"), "utf8"))));
  const facts = Object.keys(marginFacts());
  expect(facts.filter((name) => !answer.has(name))).toEqual([]);
  expect([...answer].filter((name) => name !== undefined && !company.has(name) && !facts.includes(name))).toEqual([]);
});
