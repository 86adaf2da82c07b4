import { expect, test } from "vitest";
import { checkDraft, pictureHeaders } from "./ticket-model.ts";

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

test("[PAGE-1] a picture carries its ticket and a name of any script in its headers, never in its address", () => {
  const headers = pictureHeaders({ number: "CW-0000-0000", key: "a" }, "Рис 1\ud800.png");
  expect(headers).toMatchObject({ "x-ticket-number": "CW-0000-0000", "x-ticket-key": "a" });
  expect(decodeURIComponent(headers["x-file-name"] ?? "")).toBe("Рис 1\ufffd.png");
});
