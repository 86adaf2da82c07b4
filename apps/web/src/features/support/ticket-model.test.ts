import { expect, test } from "vitest";
import { checkDraft, readBase64 } from "./ticket-model.ts";

const EMPTY = { name: "", email: "", message: "" };

test("[PAGE-1] a complaint needs a name, an address and words", () => {
  expect(checkDraft("complaint", EMPTY)).toEqual({ name: "required", email: "required", message: "required" });
  expect(checkDraft("complaint", { name: "A", email: "a@b", message: "x" })).toEqual({ email: "badEmail" });
  expect(checkDraft("complaint", { name: "A", email: "a@b.example", message: "x" })).toEqual({});
});

test("[PAGE-1] a whistleblower needs words alone", () => {
  expect(checkDraft("whistleblower", { ...EMPTY, message: "x" })).toEqual({});
  expect(checkDraft("whistleblower", { ...EMPTY, email: "no", message: "x" })).toEqual({ email: "badEmail" });
});

test("[PAGE-1] a file of any length is read whole", async () => {
  const bytes = Uint8Array.from({ length: 20_001 }, (_, at) => at % 251);
  expect(Buffer.from(await readBase64(new Blob([bytes])), "base64").equals(Buffer.from(bytes))).toBe(true);
});
