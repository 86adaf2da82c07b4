// The form of the repository's documents, the words they are found by, and their reading time. Pure.
import type { ArticleKind } from "./contract.ts";

/** A document in the repository: a head of `key: value` lines between rules, then Markdown. */
export interface Seed {
  readonly kind: ArticleKind;
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly section: string;
  readonly position: number;
  readonly words: string;
  readonly body: string;
  readonly isPinned: boolean;
  readonly isHot: boolean;
  readonly publishedMs: number;
  readonly changedMs: number;
  /** Of another mode than this exchange runs in: stored where it was before, shown to no one. */
  readonly isWithdrawn?: true;
}

/** What an exchange may be that a text may speak of. */
export type ModeFact = "testFunds" | "simulatedMarket";
const MODE_FACTS: readonly ModeFact[] = ["testFunds", "simulatedMarket"];

/**
 * Keeps `{{#testFunds}}…{{/testFunds}}` where that holds and `{{^testFunds}}…{{/testFunds}}` where it does not; an unknown
 * name, or a mark without its other half, is a mistake of the writer.
 */
export function fitToMode(text: string, holds: ReadonlySet<ModeFact>): string {
  const fitted = text.replace(
    /\{\{([#^])(\w+)\}\}([\s\S]*?)\{\{\/\2\}\}/g,
    (_, sign: string, name: string, within: string) => {
      const fact = MODE_FACTS.find((known) => known === name);
      if (fact === undefined) throw new Error(`no mode is called ${name}`);
      return holds.has(fact) === (sign === "#") ? within : "";
    },
  );
  if (/\{\{[#^/]/.test(fitted)) throw new Error("a mark of a mode has no other half");
  return fitted;
}

export function modeFactsOf(hasTestFunds: boolean, isMarketSimulated: boolean): ReadonlySet<ModeFact> {
  const facts = { testFunds: hasTestFunds, simulatedMarket: isMarketSimulated };
  return new Set(MODE_FACTS.filter((fact) => facts[fact]));
}

const SPEAKS = /\bsimulated\b|\btest (?:funds|coins|money|installation)\b|\bsample (?:company|details|data)\b/i;

/** The first words of a text that speak of simulation, test funds or samples. */
export function findSimulationWords(text: string): string | undefined {
  return SPEAKS.exec(text)?.[0];
}

export interface Head {
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Splits head and body; undefined when there is no head. */
export function readHead(text: string): Head | undefined {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text.replaceAll("\r\n", "\n"));
  if (match === null) return undefined;
  const fields: Record<string, string> = {};
  for (const line of (match[1] ?? "").split("\n")) {
    const at = line.indexOf(":");
    if (at > 0) fields[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return { fields, body: (match[2] ?? "").trim() };
}

/** Reads a document; throws with its name when invalid, because only the repository writes them. */
export function readSeed(kind: ArticleKind, slug: string, given: string, holds: ReadonlySet<ModeFact>): Seed {
  const text = fitToMode(given, holds);
  const head = readHead(text);
  const title = head?.fields.title;
  if (head === undefined || title === undefined || title === "") throw new Error(`${kind}/${slug} has no title`);
  const { fields } = head;
  const only = MODE_FACTS.find((fact) => fact === fields.only);
  if (fields.only !== undefined && only === undefined)
    throw new Error(`${kind}/${slug}: no mode is called ${fields.only}`);
  const changedMs = readInstant(fields.changed ?? fields.published, `${kind}/${slug}`);
  return {
    kind,
    slug,
    title,
    summary: fields.summary ?? "",
    category: fields.category ?? kind,
    section: fields.section ?? "",
    position: Number(fields.order ?? 0),
    words: fields.words ?? "",
    body: head.body,
    isPinned: fields.pinned === "true",
    isHot: fields.hot === "true",
    publishedMs: fields.published === undefined ? 0 : readInstant(fields.published, `${kind}/${slug}`),
    changedMs,
    ...(only === undefined || holds.has(only) ? {} : { isWithdrawn: true }),
  };
}

function readInstant(text: string | undefined, name: string): number {
  const instant = Date.parse(text ?? "");
  if (Number.isNaN(instant)) throw new Error(`${name} has no date it was changed on`);
  return instant;
}

/** Puts the operator's facts in the place of `{{name}}`; an unknown name is a mistake of the writer. */
export function fillFacts(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`no fact is called ${name}`);
    return fact;
  });
}

const WORD_LENGTH_MAX = 32;
const TITLE_WEIGHT = 20;
const HINT_WEIGHT = 10;
const TEXT_WEIGHT_MAX = 5;

/** Lower-case letters and digits of any script; one-letter words match nothing. */
export function listWords(text: string): string[] {
  const found =
    text
      .toLowerCase()
      .normalize("NFKC")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return found.filter((word) => word.length > 1).map((word) => word.slice(0, WORD_LENGTH_MAX));
}

/** Each word of a document once, with its weight: a word in the title outweighs any length of text. */
export function weighWords(document: Pick<Seed, "title" | "summary" | "words" | "body">): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (text: string, weight: number, max: number): void => {
    const counts = new Map<string, number>();
    for (const word of listWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) weights.set(word, (weights.get(word) ?? 0) + Math.min(max, count * weight));
  };
  // The fewer words a title has, the more weight each of them gets.
  const titleWeight = TITLE_WEIGHT + Math.round((2 * TITLE_WEIGHT) / Math.max(1, listWords(document.title).length));
  add(document.title, titleWeight, titleWeight);
  add(document.words, HINT_WEIGHT, HINT_WEIGHT);
  add(document.summary, HINT_WEIGHT / 2, HINT_WEIGHT / 2);
  add(document.body, 1, TEXT_WEIGHT_MAX);
  return weights;
}

const WORDS_A_MINUTE = 200;

export function readingMinutes(body: string): number {
  return Math.max(1, Math.round(listWords(body).length / WORDS_A_MINUTE));
}

const TITLES: Readonly<Record<string, string>> = {
  api: "API",
  "market-data": "Charts and market data",
  "getting-started": "Getting started",
  "account-settings": "Account settings",
  statements: "Statements",
  beginners: "Getting started",
  account: "Your account",
  trading: "Trading",
  funds: "Funds",
  developers: "Developers",
  legal: "Legal",
  proof: "Proof",
};

const CATEGORY_ORDER = ["beginners", "trading", "account", "funds", "developers", "legal"];
const SECTION_ORDER = [
  "orders",
  "futures",
  "fees",
  "market-data",
  "security",
  "identity",
  "account-settings",
  "deposits",
];

/** The position of a category or section; those without one come last, by name. */
export function compareKeys(order: "category" | "section", left: string, right: string): number {
  const list = order === "category" ? CATEGORY_ORDER : SECTION_ORDER;
  const place = (key: string): number => (list.includes(key) ? list.indexOf(key) : list.length);
  return place(left) - place(right) || (left < right ? -1 : 1);
}

/** The title of a category or section; a new one is shown by its key until it gets a title. */
export function titleOf(key: string): string {
  return TITLES[key] ?? `${key.charAt(0).toUpperCase()}${key.slice(1).replaceAll("-", " ")}`;
}
