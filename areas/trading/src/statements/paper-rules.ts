// An account statement on paper: who issued it and to whom, what each coin was, came to and is worth, and every movement in
// words with a running balance. Pure: the same facts are the same bytes. Its hash is of the content's lines, not of the drawing.
import { createHash } from "node:crypto";
import {
  drawBox,
  drawRight,
  drawRule,
  drawShape,
  drawText,
  type Font,
  PAGE_HEIGHT,
  PAGE_WIDTH,
  widthOf,
  writePdf,
} from "./pdf-rules.ts";

/** Who issues statements, as its registration has it. */
export interface Issuer {
  readonly legalName: string;
  readonly lines: readonly string[];
}

export interface CoinLine {
  readonly coin: string;
  readonly opening: string;
  readonly paidIn: string;
  readonly paidOut: string;
  readonly closing: string;
  /** In US dollars at the end of the period; a dash where nothing told it. */
  readonly rate: string;
  readonly value: string;
}

export interface MoveLine {
  readonly day: string;
  readonly time: string;
  readonly words: string;
  readonly detail: string;
  readonly amount: string;
  readonly balance: string;
}

export interface CoinMoves {
  readonly coin: string;
  readonly opening: string;
  readonly openingDay: string;
  readonly closing: string;
  readonly moves: readonly MoveLine[];
}

export interface Paper {
  readonly issuer: Issuer;
  readonly customer: readonly string[];
  readonly period: string;
  readonly number: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly coins: readonly CoinLine[];
  readonly openingValue: string;
  readonly closingValue: string;
  readonly sections: readonly CoinMoves[];
  readonly journalHead: string;
}

const LEFT = 39;
const RIGHT = PAGE_WIDTH - LEFT;
const TOP = 44;
const BOTTOM = PAGE_HEIGHT - 92;
const MUTED = 0.38;
const FAINT = 0.85;
const NOTE =
  "Values are in US dollars at the exchange's rates at the end of the period; 1 USDT counts as 1 USD. Virtual assets are not covered by a deposit guarantee. Tell us within 60 days if a line is wrong.";

/** The wheel of the brand, on a field of 24. */
const WHEEL =
  "15.75 14.96 18.19 16.71 17.3 19.6 15.97 22.09 15.06 22.44 14.15 19.69 12 21 9.18 22.73 8.24 22.48 9.13 19.71 6.1 19.8 3.32 19.24 2.71 18.48 5.06 16.77 2.6 15 .64 12.97 .6 12 3.5 12 2.5 9.2 2.18 6.32 2.71 5.52 5.06 7.23 5.9 4.4 7.33 1.86 8.24 1.52 9.13 4.29 11.5 2.6 14.13 1.3 15.06 1.56 14.15 4.31 17.1 4.2 19.95 4.84 20.55 5.61 18.19 7.29 15.75 9.04";

function drawMark(x: number, y: number, size: number): string {
  const scale = size / 24;
  const numbers = WHEEL.split(" ").map(Number);
  const outer = Array.from({ length: numbers.length / 2 }, (_, at) => [numbers[at * 2], numbers[at * 2 + 1]] as const);
  const turn = (from: number, to: number, radius: number) =>
    Array.from({ length: 25 }, (_, at) => {
      const angle = ((from + ((to - from) * at) / 24) * Math.PI) / 180;
      return [11.6 + radius * Math.cos(angle), 12 + radius * Math.sin(angle)] as const;
    });
  const at = (corners: readonly (readonly [number | undefined, number | undefined])[]) =>
    drawShape(corners.map(([cornerX = 0, cornerY = 0]) => [x + cornerX * scale, y + cornerY * scale] as const));
  const pallet = [
    [16, 10.5],
    [24, 10.5],
    [24, 13.5],
    [17.6, 13.5],
  ] as const;
  return [at([...outer, ...turn(-35.5, -324.5, 5.1)]), at(turn(0, 360, 2)), at(pallet)].join("\n");
}

/** Pages that fill from the top; each begins with its columns and may end with what is carried forward. */
class Sheets {
  readonly pages: string[][] = [[]];
  y = TOP;

  draw(...operations: readonly string[]): void {
    this.pages.at(-1)?.push(...operations);
  }

  hasRoom(height: number): boolean {
    return this.y + height <= BOTTOM;
  }

  turn(): void {
    this.pages.push([]);
    this.y = TOP;
  }
}

function cut(text: string, font: Font, size: number, width: number): string {
  if (widthOf(text, font, size) <= width) return text;
  let kept = text;
  while (kept !== "" && widthOf(`${kept}…`, font, size) > width) kept = kept.slice(0, -1);
  return `${kept}…`;
}

function drawHead(sheets: Sheets, { issuer, customer, period, number, facts }: Paper): void {
  sheets.draw(
    drawMark(LEFT, TOP - 10, 18),
    drawText("Clockwork", LEFT + 25, TOP + 3, "F2", 14),
    drawRight("Account statement", RIGHT - 9, TOP + 3, "F2", 14),
    drawRight(period, RIGHT, TOP + 17, "F3", 8, MUTED),
    drawRule(LEFT, RIGHT, TOP + 32, 0.9, 0.1),
  );
  const columns = [
    [LEFT, "Issued by", [issuer.legalName, ...issuer.lines]],
    [LEFT + 187, "Customer", customer],
  ] as const;
  const y = TOP + 48;
  for (const [x, title, lines] of columns) {
    sheets.draw(drawText(title, x, y, "F3", 7, MUTED));
    for (const [at, line] of lines.entries())
      sheets.draw(drawText(cut(line, "F3", 8, 178), x, y + 13 + at * 11.5, at === 0 ? "F2" : "F3", 8));
  }
  sheets.draw(drawText("Statement", LEFT + 374, y, "F3", 7, MUTED));
  for (const [at, [name, value]] of [["Number", number] as const, ...facts].entries()) {
    const row = y + 13 + at * 11.5;
    sheets.draw(drawText(name, LEFT + 374, row, "F3", 8, MUTED), drawRight(value, RIGHT, row, "F3", 8));
  }
  const rows = Math.max(issuer.lines.length + 1, customer.length, facts.length + 1);
  sheets.y = y + 13 + rows * 11.5 + 8;
}

function drawStrip(sheets: Sheets, { openingValue, closingValue, sections }: Paper): void {
  const moves = sections.reduce((sum, one) => sum + one.moves.length, 0);
  const cells = [
    ["Opening value", openingValue, "USD"],
    ["Closing value", closingValue, "USD"],
    ["Movements", String(moves), sections.length === 1 ? "1 coin" : `${sections.length} coins`],
  ] as const;
  const width = (RIGHT - LEFT) / cells.length;
  sheets.draw(drawBox(LEFT, sheets.y, RIGHT - LEFT, 46, 0.968));
  for (const [at, [name, value, unit]] of cells.entries()) {
    const x = LEFT + at * width + 9;
    sheets.draw(
      drawText(name, x, sheets.y + 13, "F3", 7, MUTED),
      drawText(value, x, sheets.y + 27, "F2", 11),
      drawText(unit, x, sheets.y + 38, "F3", 7, MUTED),
    );
  }
  sheets.y += 68;
}

const COIN_ENDS = [LEFT + 160, LEFT + 238, LEFT + 316, LEFT + 396, LEFT + 456, RIGHT] as const;
const COIN_NAMES = ["Opening", "In", "Out", "Closing", "Rate, USD", "Value, USD"] as const;

function drawCoins(sheets: Sheets, { coins, closingValue }: Paper): void {
  sheets.draw(
    drawText("Balances by coin", LEFT, sheets.y, "F2", 10),
    drawRight("every account added up; opening + in − out = closing", RIGHT, sheets.y, "F3", 7, MUTED),
  );
  const heads = () => {
    sheets.draw(drawText("Coin", LEFT, sheets.y, "F3", 7, MUTED));
    for (const [at, name] of COIN_NAMES.entries())
      sheets.draw(drawRight(name, COIN_ENDS[at] ?? RIGHT, sheets.y, "F3", 7, MUTED));
    sheets.draw(drawRule(LEFT, RIGHT, sheets.y + 5, 0.9, 0.1));
    sheets.y += 17;
  };
  sheets.y += 17;
  heads();
  for (const { coin, opening, paidIn, paidOut, closing, rate, value } of coins) {
    if (!sheets.hasRoom(20)) {
      sheets.turn();
      heads();
    }
    sheets.draw(drawText(coin, LEFT, sheets.y, "F2", 8));
    for (const [at, text] of [opening, paidIn, paidOut, closing, rate, value].entries())
      sheets.draw(drawRight(text, COIN_ENDS[at] ?? RIGHT, sheets.y, at === 3 ? "F2" : "F3", 8));
    sheets.draw(drawRule(LEFT, RIGHT, sheets.y + 6, 0.5, FAINT));
    sheets.y += 17;
  }
  sheets.draw(drawText("Closing value", LEFT, sheets.y, "F2", 8), drawRight(closingValue, RIGHT, sheets.y, "F2", 8));
  sheets.y += 32;
}

const AMOUNT_END = RIGHT - 92;
const WORDS_AT = LEFT + 78;

function drawMoves(sheets: Sheets, { coin, opening, openingDay, closing, moves }: CoinMoves): void {
  const heads = (title: string) => {
    sheets.draw(
      drawText(title, LEFT, sheets.y, "F2", 10),
      drawRight("all accounts, oldest first", RIGHT, sheets.y, "F3", 7, MUTED),
    );
    sheets.y += 17;
    const columns = ["Date", "UTC", "Description"].entries();
    for (const [at, name] of columns)
      sheets.draw(drawText(name, [LEFT, LEFT + 46, WORDS_AT][at] ?? LEFT, sheets.y, "F3", 7, MUTED));
    sheets.draw(
      drawRight("Amount", AMOUNT_END, sheets.y, "F3", 7, MUTED),
      drawRight("Balance", RIGHT, sheets.y, "F3", 7, MUTED),
      drawRule(LEFT, RIGHT, sheets.y + 5, 0.9, 0.1),
    );
    sheets.y += 17;
  };
  const line = (words: string, balance: string, day: string, time: string) => {
    sheets.draw(
      drawText(day, LEFT, sheets.y, "F2", 8),
      drawText(time, LEFT + 46, sheets.y, "F2", 8),
      drawText(words, WORDS_AT, sheets.y, "F2", 8),
      drawRight(balance, RIGHT, sheets.y, "F2", 8),
      drawRule(LEFT, RIGHT, sheets.y + 6, 0.5, FAINT),
    );
    sheets.y += 17;
  };
  if (!sheets.hasRoom(90)) sheets.turn();
  heads(`Movements, ${coin}`);
  line("Opening balance", opening, openingDay, "00:00");
  let balance = opening;
  for (const move of moves) {
    const height = move.detail === "" ? 17 : 27;
    if (!sheets.hasRoom(height + 17)) {
      const next = sheets.pages.length + 1;
      sheets.draw(
        drawText(`Carried forward to page ${next}`, LEFT, sheets.y, "F3", 8, MUTED),
        drawRight(balance, RIGHT, sheets.y, "F2", 8),
      );
      sheets.turn();
      heads(`Movements, ${coin}, continued`);
    }
    sheets.draw(
      drawText(move.day, LEFT, sheets.y, "F3", 8),
      drawText(move.time, LEFT + 46, sheets.y, "F3", 8),
      drawText(cut(move.words, "F3", 8, 240), WORDS_AT, sheets.y, "F3", 8),
      drawRight(move.amount, AMOUNT_END, sheets.y, "F3", 8),
      drawRight(move.balance, RIGHT, sheets.y, "F3", 8),
    );
    if (move.detail !== "")
      sheets.draw(drawText(cut(move.detail, "F3", 7, 300), WORDS_AT, sheets.y + 10, "F3", 7, MUTED));
    sheets.draw(drawRule(LEFT, RIGHT, sheets.y + height - 11, 0.5, FAINT));
    sheets.y += height;
    balance = move.balance;
  }
  line("Closing balance", closing, "", "");
  sheets.y += 15;
}

function drawFoot({ number, journalHead }: Paper, hash: string, page: number, pages: number): string {
  const y = PAGE_HEIGHT - 76;
  const groups = hash.match(/.{1,8}/g)?.join(" ") ?? hash;
  return [
    drawRule(LEFT, RIGHT, y, 0.9, 0.1),
    drawText("Content, SHA-256", LEFT, y + 13, "F3", 6.5, MUTED),
    drawText(groups, LEFT + 80, y + 13, "F1", 6.5),
    drawText("Journal head", LEFT, y + 23, "F3", 6.5, MUTED),
    drawText(journalHead, LEFT + 80, y + 23, "F1", 6.5),
    drawText(NOTE, LEFT, y + 36, "F3", 5.6, MUTED),
    drawText(number, LEFT, y + 52, "F3", 7),
    drawRight(`Page ${page} of ${pages}`, RIGHT, y + 52, "F3", 7),
  ].join("\n");
}

/** What the hash is of: every figure and word of the content, line by line. */
export function contentOf({ number, period, facts, coins, sections, openingValue, closingValue }: Paper): string {
  return [
    [number, period].join("\t"),
    ...facts.map((fact) => fact.join("\t")),
    ["value", openingValue, closingValue].join("\t"),
    ...coins.map((one) => Object.values(one).join("\t")),
    ...sections.flatMap(({ coin, opening, closing, moves }) => [
      [coin, opening].join("\t"),
      ...moves.map((move) => Object.values(move).join("\t")),
      [coin, closing].join("\t"),
    ]),
  ].join("\n");
}

export function writeText(paper: Paper): string {
  const sheets = new Sheets();
  drawHead(sheets, paper);
  drawStrip(sheets, paper);
  drawCoins(sheets, paper);
  for (const section of paper.sections) drawMoves(sheets, section);
  const hash = createHash("sha256").update(contentOf(paper)).digest("hex");
  const { pages } = sheets;
  return writePdf(pages.map((page, at) => [...page, drawFoot(paper, hash, at + 1, pages.length)].join("\n")));
}
