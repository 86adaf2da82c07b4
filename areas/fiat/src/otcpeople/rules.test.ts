// How a payment account's fields are parsed, from any way of copying its number.
import { expect, test } from "vitest";
import { nameKey, readFields } from "./rules.ts";

const read = (kind: "card" | "wallet", values: Readonly<Record<string, string>>) => {
  const found = readFields({ kind, fiat: "USD", name: "Ada", ...values });
  return "wrong" in found ? found.wrong : found.fields.map(({ value }) => value);
};

test("[OTC-1] a card's number may be grouped by hyphens, underscores or spaces; letters are refused", () => {
  for (const account of ["4111-1111-1111-1111", "4111_1111_1111_1111", "4111 1111 1111 1111", "4111111111111111"])
    expect(read("card", { bank: "Coast", account })).toEqual(["Coast", "4111111111111111"]);
  expect(read("card", { bank: "Coast", account: "4111-1111-1111-111x" })).toBe("account");
});

test("[OTC-1] hyphens, underscores and the case of a handle belong to it", () => {
  expect(read("wallet", { provider: "Purse", handle: "ada_b-c" })).toEqual(["Purse", "ada_b-c"]);
});

test("[OTC-1] a card or account number with a wrong digit is refused", () => {
  expect(read("card", { bank: "Coast", account: "4111111111111112" })).toBe("account");
  const bank = (fiat: string, account: string) => {
    const found = readFields({ kind: "bank", fiat, name: "Ada", bank: "Coast", account });
    return "wrong" in found ? found.wrong : found.fields[1]?.value;
  };
  expect(bank("AED", "ae07 0331 2345 6789 0123 456")).toBe("AE070331234567890123456");
  expect(bank("EUR", "DE89 3704 0044 0532 0130 00")).toBe("DE89370400440532013000");
  for (const wrong of ["AE080331234567890123456", "AE070331234567890123465", "AE07033123456789012345"])
    expect(bank("AED", wrong)).toBe("account");
});

test("[OTC-1] merchants' names that differ only by case and spaces are one name", () => {
  expect(nameKey("Gulf  TRADING")).toBe(nameKey("gulf trading"));
  expect(nameKey("ÉTOILE")).toBe(nameKey("étoile"));
  expect(nameKey("Gulf Trading")).not.toBe(nameKey("Gulf Trading 2"));
});
