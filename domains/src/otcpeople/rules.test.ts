// What a payment account's fields are read as, however its number was copied.
import { expect, test } from "vitest";
import { readFields } from "./rules.ts";

const read = (kind: "card" | "wallet", values: Readonly<Record<string, string>>) => {
  const found = readFields({ kind, fiat: "USD", name: "Ada", ...values });
  return "wrong" in found ? found.wrong : found.fields.map(({ value }) => value);
};

test("[OTC-1] a card's number of digits may be grouped by hyphens, underscores or spaces; letters are refused", () => {
  for (const account of ["4111-1111-1111-1111", "4111_1111_1111_1111", "4111 1111 1111 1111", "4111111111111111"])
    expect(read("card", { bank: "Coast", account })).toEqual(["Coast", "4111111111111111"]);
  expect(read("card", { bank: "Coast", account: "4111-1111-1111-111x" })).toBe("account");
});

test("[OTC-1] hyphens and underscores of a handle belong to it", () => {
  expect(read("wallet", { provider: "Purse", handle: "ada_b-c" })).toEqual(["Purse", "ADA_B-C"]);
});
