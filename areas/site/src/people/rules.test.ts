// What operators may search for, and what is masked.
import { expect, test } from "vitest";
import { maskAddress, readQuery } from "./rules.ts";

test("[OPS-1] a search is read by its form: numbers, addresses, transactions, tickets, identifiers", () => {
  expect(readQuery(" 407 182 265 ")).toMatchObject({ userId: 407_182_265, orderId: 407_182_265 });
  expect(readQuery("Jo@Example.com").account).toEqual({ kind: "email", value: "jo@example.com" });
  expect(readQuery("jo@ex").prefix).toEqual({ kind: "email", value: "jo@ex" });
  expect(readQuery("+44 20 7946").prefix).toEqual({ kind: "phone", value: "44207946" });
  const address = `0x${"Ab".repeat(20)}`;
  expect(readQuery(address)).toMatchObject({ chainAddress: address.toLowerCase() });
  expect(readQuery(`0x${"0f".repeat(32)}`).txHash).toHaveLength(66);
  expect(readQuery("cw-12ab-34cd").ticket).toBe("CW-12AB-34CD");
  expect(readQuery("00ff00ff00ff00ff").hexId).toBe("00ff00ff00ff00ff");
  expect(readQuery("20261115123456").otcId).toBe("20261115123456");
  expect(readQuery("'; drop table --")).toEqual({});
});

test("[OPS-1] an address of the network is shown without its machine", () => {
  expect([maskAddress("203.0.113.7"), maskAddress("2001:db8:1::7"), maskAddress("")]).toEqual([
    "203.0.•.•",
    "2001:db8:…",
    "",
  ]);
});
