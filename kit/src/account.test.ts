import { expect, test } from "vitest";
import { mailboxOf, maskAccountName, readAccountName } from "./account.ts";

test.each([
  [" Jo.Doe@Example.COM ", { kind: "email", value: "jo.doe@example.com" }],
  ["+44 20 7946-0958", { kind: "phone", value: "442079460958" }],
  ["(020) 7946 0958", { kind: "phone", value: "02079460958" }],
  ["123456", { kind: "phone", value: "123456" }],
])("[AUTH-9] %j is one account name in one spelling", (text, name) => {
  expect(readAccountName(text)).toEqual(name);
});

test.each(["", "12345", "1234567890123456", "jo@", "@example.com", "jo doe", "12a456", "١٢٣٤٥٦"])(
  "[AUTH-9] %j names no account",
  (text) => {
    expect(readAccountName(text)).toBeUndefined();
  },
);

test.each([
  ["Jo.Doe+gift@Example.com", "jo.doe@example.com"],
  ["jo.doe@gmail.com", "jodoe@gmail.com"],
  ["J.o.doe+1+2@GoogleMail.com", "jodoe@gmail.com"],
  ["442079460958", "442079460958"],
])("[USR-5] %j is the mailbox %j, whatever its tags and dots", (contact, mailbox) => {
  expect(mailboxOf(contact)).toBe(mailbox);
});

test("[AUTH-9] a masked name is recognisable to its owner and reveals it to no one else", () => {
  expect(maskAccountName({ kind: "email", value: "jo.doe@example.com" })).toBe("jo***@example.com");
  expect(maskAccountName({ kind: "email", value: "j@example.com" })).toBe("***@example.com");
  expect(maskAccountName({ kind: "phone", value: "442079460958" })).toBe("442***58");
});
