import { expect, test } from "vitest";
import { joinMessages } from "./chat-messages.ts";

test("[OTC-1] messages of two answers that overtook each other are shown once and in their order", () => {
  const [one, two, three] = [{ id: 1 }, { id: 2 }, { id: 3 }];
  expect(joinMessages([one, three], [two, three])).toEqual([one, two, three]);
  expect(joinMessages([], [two])).toEqual([two]);
});
