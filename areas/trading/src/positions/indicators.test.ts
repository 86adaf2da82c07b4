import { compareFractions, fraction } from "@clockwork/kit/fraction";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { rankInTurns, type Scored } from "./indicators.ts";

test("[FUT-2] positions are ranked by their exact scores, for any number and any closeness", async () => {
  const random = createRandom(11);
  const huge = 10n ** 20n;
  const scored: Scored[] = Array.from({ length: 5_321 }, (_, id) => {
    // Some are equal, some differ behind the digits of a double, some are of the other sign.
    const over = BigInt(random.between(-40, 40)) * huge + BigInt(random.below(3));
    const score = fraction(over, huge);
    return { id, score, about: Number(score.over) / Number(score.under) };
  });
  const plain = scored.toSorted((left, right) => compareFractions(right.score, left.score) || left.id - right.id);
  expect((await rankInTurns(scored)).map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
  expect(await rankInTurns([])).toEqual([]);
});
