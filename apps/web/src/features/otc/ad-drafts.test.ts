import { expect, test } from "vitest";
import { AD_DRAFTS, keepDraft, readDraft } from "./ad-drafts.ts";
import { EMPTY_FORM } from "./post-ad-form.tsx";

class Shelf {
  readonly kept = new Map<string, string>();
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.kept.set(key, value);
  }
  removeItem(key: string): void {
    this.kept.delete(key);
  }
}
const form = { ...EMPTY_FORM, quantity: "12.5", paymentIds: ["0123456789abcdef"], isTraded: true };

test("[OTC-1] a draft of an ad is kept with its version for its author, one for each ad, until it is posted", () => {
  const shelf = new Shelf();
  keepDraft("7", "new", { form, atMs: 5 }, shelf);
  keepDraft("7", "31", { form: { ...form, note: "Edited" }, atMs: 6 }, shelf);
  expect(JSON.parse(shelf.kept.get(AD_DRAFTS.key) ?? "")).toMatchObject({ version: 1 });
  expect(readDraft("7", "new", shelf)).toEqual({ form, atMs: 5 });
  expect(readDraft("7", "31", shelf)?.form.note).toBe("Edited");
  // Another user of the same browser sees none of them, and their own drafts replace them.
  expect(readDraft("8", "new", shelf)).toBeUndefined();
  keepDraft("7", "new", undefined, shelf);
  expect([readDraft("7", "new", shelf), readDraft("7", "31", shelf)?.atMs]).toEqual([undefined, 6]);
  keepDraft("8", "new", { form, atMs: 9 }, shelf);
  expect([readDraft("7", "31", shelf), readDraft("8", "new", shelf)?.atMs]).toEqual([undefined, 9]);
  keepDraft("8", "new", undefined, shelf);
  expect(shelf.kept.size).toBe(0);
});

test("[OTC-1] what is no draft any more counts as none, and twenty are the most there are", () => {
  const shelf = new Shelf();
  const { isTraded: _, ...older } = form;
  for (const value of [7, "x", null, { owner: "7" }, { owner: "7", drafts: { new: { form: older, atMs: 1 } } }]) {
    shelf.kept.set(AD_DRAFTS.key, JSON.stringify({ version: 1, value }));
    expect(readDraft("7", "new", shelf)).toBeUndefined();
  }
  shelf.kept.set(
    AD_DRAFTS.key,
    JSON.stringify({ version: 99, value: { owner: "7", drafts: { new: { form, atMs: 1 } } } }),
  );
  expect(readDraft("7", "new", shelf)).toBeUndefined();
  shelf.kept.clear();
  for (let ad = 1; ad <= 25; ad += 1) keepDraft("7", String(ad), { form, atMs: ad }, shelf);
  expect([readDraft("7", "5", shelf), readDraft("7", "6", shelf)?.atMs]).toEqual([undefined, 6]);
});
