// Owns the phrases that no text a person reads may contain: catalogues, refusals, notices, mails, help and legal pages.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { isNode, type Node } from "./syntax.ts";

const SOURCES = /^(?:apps\/web|ui|host|kit|areas\/[^/]+)\/src\/.+\.tsx?$/;
const LEFT_OUT =
  /\.test\.tsx?$|-fixture\.ts$|\/testing\/|soak|\/simulated-|^ui\/src\/examples\/|^host\/src\/settings\//;
const PAGES = /^content\/.+\.md$/;

/** What is scanned apart, so that an empty group is noticed: a moved folder must not pass unread. */
const GROUPS: Readonly<Record<string, RegExp>> = {
  catalogues: /^apps\/web\/src\/locales\//,
  refusals: /(?:^|[/-])refusals?\.ts$/,
  "mails and notices": /^areas\/messaging\//,
  content: PAGES,
};

/** Each with what is written instead; the terms are in docs/words.md. */
const RETIRED: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [
    /\b(?:he|his|him|himself|whoever|somebody|nobody|anybody|everybody)\b/i,
    "name the role, or say you, someone, no one",
  ],
  [/\bthere is no such\b/i, "… not found"],
  [/\bwithdrawals? rests?\b/i, "withdrawals are locked"],
  [/\bwas taken\b|\btaken back\b|\bcalled back\b/i, "submitted, reversed, cancelled"],
  [/\bmost slippage\b|(?<!at )\bleast \d|^least\b/i, "max …, min …"],
  [/\bhas places\b/i, "spots available"],
  [/\bgo(?:es)? on\b/i, "continue, keep"],
  [/\ba press in\b/i, "click"],
  [/\bnothing waits\b|\bnobody waits\b/i, "none pending"],
  [/\brhythms?\b/i, "frequency"],
  [/\bwhat they wrote\b/i, "submitted details"],
  [/\b(?:begin|look) again\b|\bnot begun\b|\banew\b/i, "start again, try again"],
  [/\breckon/i, "calculate"],
  [/\bmeanwhile\b/i, "in the meantime, or nothing"],
  [/\b(?:is|are|be|been) told\b(?! to\b)/i, "notified, shown"],
  [/\bwish(?:es)?\b|\bhears?\b/i, "request, receive"],
  [/\bthe house\b/i, "the exchange"],
  [/\blamps?\b/i, "indicator"],
  [/\bby itself\b|\bof its own\b/i, "automatically, its own"],
  [/\bin vain\b|\ba thief\b|\bplay money\b|\bstood\b/i, "the field's term"],
  [/\bset aside\b/i, "on hold, reserved"],
  [/\bsix[- ]digits?\b/i, "6-digit code"],
  [/\binvite code\b/i, "referral code"],
  [/\be-mail\b/i, "email"],
  [/\b(?:smallest|largest) order\b/i, "minimum order, maximum order"],
  [
    /(?<!\{)\b(?:centre|colours?|favourites?|behaviour|realised|recognised?)\b/i,
    "the American spelling: the catalogue is en_US",
  ],
  [/\bcould not be (?:loaded|reached)\b|\bdid not load\b/i, "Could not load …, Could not reach …"],
  [/\{count\} (?:orders|trades|coins|reports|messages)\b|\blast 1 days\b/i, "{count, plural, one {…} other {…}}"],
];

/** A sentence or a label, not a name, a class, a path or a query. */
const isText = (text: string): boolean =>
  / /.test(text) && /^[\p{Lu}\d{$“+]|[.?!]$/u.test(text) && /\p{Ll}{2}/u.test(text);

const literalsOf = (path: string, source: string): readonly string[] => {
  const found: string[] = [];
  const walk = (node: Node): void => {
    if (node.type === "Literal" && typeof node.value === "string") found.push(node.value);
    if (node.type === "JSXText" && typeof node.value === "string") found.push(node.value.trim());
    if (node.type === "TemplateElement") found.push((node.value as { readonly cooked: string | null }).cooked ?? "");
    for (const [member, value] of Object.entries(node)) {
      if (member === "key") continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child);
    }
  };
  walk(parseSync(path, source).program as unknown as Node);
  return found;
};

const textsOf = (path: string, source: string): readonly string[] => {
  if (PAGES.test(path)) return source.split("\n").filter((line) => line !== "");
  const literals = literalsOf(path, source);
  return GROUPS.catalogues?.test(path) ? literals : literals.filter(isText);
};

/** Every text with a retired phrase, and every group that has no text at all. */
export const checkTexts = (root: string, files: readonly string[]): readonly string[] => {
  const counts = new Map<string, number>();
  const problems: string[] = [];
  for (const path of files) {
    if (!(SOURCES.test(path) || PAGES.test(path)) || LEFT_OUT.test(path)) continue;
    const source = readFileSync(join(root, path), "utf8");
    const groups = Object.keys(GROUPS).filter((group) => GROUPS[group]?.test(path));
    if (groups.length === 0 && !RETIRED.some(([phrase]) => phrase.test(source))) continue;
    const texts = textsOf(path, source);
    for (const group of groups) counts.set(group, (counts.get(group) ?? 0) + texts.length);
    for (const text of texts)
      for (const [phrase, instead] of RETIRED)
        if (phrase.test(text)) problems.push(`${path}: "${phrase.exec(text)?.[0]}" in "${text}": ${instead}`);
  }
  for (const group of Object.keys(GROUPS))
    if (!counts.get(group)) problems.push(`No text of ${group} was found: the check reads the wrong place`);
  return problems;
};
