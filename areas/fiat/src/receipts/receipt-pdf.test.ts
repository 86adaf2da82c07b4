import { expect, test } from "vitest";
import { Fonts } from "./fonts.ts";
import { ReceiptPdf } from "./receipt-pdf.ts";
import { Receipts } from "./receipts.ts";
import { drawLine } from "./text-line.ts";

const pdf = new ReceiptPdf();
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const utf16 = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("hex").toUpperCase();

const NAMES = [
  ["latin beyond the built-in fonts", "Şükrü Łukasz Őri Nguyễn"],
  ["greek", "Ελένη Παπαδοπούλου"],
  ["cyrillic", "Анна Ковальчук Ґалаґан"],
  ["arabic", "محمد الفارسي"],
  ["persian", "پرویز گلچین"],
  ["chinese", "王小明 陳大文"],
  ["japanese", "さくら ヤマダ 太郎"],
  ["korean", "김민준"],
  ["mixed", "محمد Trading (5) 王"],
] as const;

test.each(NAMES)(
  "[OTC-1] a receipt shows a name in %s, drawn by outlines in the file and readable as text",
  (_, name) => {
    expect(pdf.isWritable(name)).toBe(true);
    const text = textOf(pdf.write("Receipt", [["With", name]]));
    expect(text).toContain(`/ActualText <FEFF${utf16(name)}>`);
    expect(text).toContain("/Subtype /Type3");
    expect(text).not.toContain("(?");
    // Every letter is in the Unicode mapping of the glyphs.
    const letters = new Set([...name.normalize("NFC")].filter((letter) => !" ()".includes(letter)));
    for (const letter of letters) expect([letter, text.includes(utf16(letter))]).toEqual([letter, true]);
  },
);

test("[OTC-1] text in the built-in fonts uses only these, escaped; text without a font is reported as unwritable", () => {
  const text = textOf(pdf.write("Receipt", [["With", "Renée (O\\'Brien) Ñ"]]));
  expect(text).toContain("(Ren\\351e \\(O\\\\'Brien\\) \\321) Tj");
  expect(text).not.toContain("/Type3");
  expect(pdf.isWritable("Renée")).toBe(true);
  for (const name of ["🦊", "ᚠᚢᚦ", "\u0000"]) expect(pdf.isWritable(name)).toBe(false);
  expect(textOf(pdf.write("Receipt", [["With", "ᚠ"]]))).toContain("(?) Tj");
  expect(textOf(pdf.write("Receipt", [["With", "ᚠ", "User 7"]]))).toContain("(User 7) Tj");
});

test("[OTC-1] other scripts are written on a thread, several one after the other; plain ones at once", async () => {
  const receipts = new Receipts();
  const [arabic, fox, plain] = await Promise.all([
    receipts.write("Receipt", [["With", "محمد", "User 7"]]),
    receipts.write("Receipt", [["With", "🦊", "User 8"]]),
    receipts.write("Receipt", [["With", "Ada", "User 9"]]),
  ]);
  expect(textOf(arabic)).toContain(`<FEFF${utf16("محمد")}>`);
  expect(textOf(fox)).toContain("(User 8) Tj");
  expect(textOf(plain)).toContain("(Ada) Tj");
});

test("[OTC-1] the same receipt is the same bytes, and every object is where the table says", () => {
  const lines = Array.from({ length: 50 }, (_, i) => [`Line ${i}`, NAMES[i % NAMES.length]?.[1] ?? ""] as const);
  const bytes = pdf.write("Receipt", lines);
  expect(Buffer.from(new ReceiptPdf().write("Receipt", lines)).equals(bytes)).toBe(true);
  const text = textOf(bytes);
  const start = Number(/startxref\n(\d+)\n/.exec(text)?.[1]);
  expect(text.slice(start, start + 4)).toBe("xref");
  const places = [...text.slice(start).matchAll(/^(\d{10}) 00000 n /gm)].map(([, at]) => Number(at));
  expect(places.length).toBeGreaterThan(20);
  for (const [index, at] of places.entries()) expect(text.slice(at, at + 12)).toContain(`${index + 1} 0 obj`);
  for (const [, length, content] of text.matchAll(/\/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/g))
    expect(content?.length).toBe(Number(length));
  expect(text).toContain("/Count 2");
});

test("[OTC-1] arabic letters are joined and run from right to left; numbers and Latin words in them do not", () => {
  const fonts = new Fonts();
  const points = (text: string) =>
    (drawLine(text, fonts)?.glyphs ?? []).flatMap(({ glyph }) =>
      glyph.codePoints.map((one) => String.fromCodePoint(one)),
    );
  // The first letter is at the right end, and has another shape than alone.
  const word = drawLine("محمد", fonts)?.glyphs ?? [];
  const alone = drawLine("م", fonts)?.glyphs ?? [];
  expect(word.at(-1)?.glyph.codePoints).toEqual([0x645]);
  expect(word.at(-1)?.glyph.id).not.toBe(alone[0]?.glyph.id);
  expect(points("محمد").join("")).toBe("دمحم");
  expect(points("ab محمد cd").join("")).toBe("ab دمحم cd");
  expect(points("محمد 12").join("").replaceAll(" ", "")).toContain("12");
  // Brackets turn with the direction they are read in.
  expect(points("(محمد)").filter((one) => "()".includes(one))).toEqual(["(", ")"]);
});
