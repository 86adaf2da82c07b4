// Finds numbers on a page that are not written in the one style of docs/style.md: in texts people read, never in code, in
// fields or in what is hidden from readers.
import type { Page } from "playwright-core";

const HIDDEN = "script, style, code, pre, kbd, option, [aria-hidden=true], [lang]:not(html)";

/** What is wrong, and how it looks. */
const FAULTS: readonly (readonly [name: string, source: string])[] = [
  ["a space before %", "\\d\\s+%"],
  ["a hyphen for minus", "(?:^|[\\s(])-\\d+(?:[.,]\\d+)?(?:%|$|\\s)"],
  ["two hyphens for nothing", "(?:^|\\s)--(?:$|\\s)"],
  ["a value that is none", "\\b(?:NaN|undefined|null)\\b"],
];
const SHOWN_MAX = 5;
/** Longer texts are prose. */
const TEXT_MAX = 120;

export function findNumbers(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ({ faults, hidden, shownMax, textMax }) => {
      const found: string[] = [];
      const checks = faults.map(([name, source]) => [name, new RegExp(source)] as const);
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
      for (let node = walker.nextNode(); node !== null && found.length < shownMax; node = walker.nextNode()) {
        const element = node as Element;
        // Pieces of one text are nodes of their own.
        const text = element.childElementCount === 0 ? (element.textContent?.trim() ?? "") : "";
        if (text === "" || text.length > textMax || element.closest(hidden) !== null) continue;
        for (const [name, check] of checks) if (check.test(text)) found.push(`${name}: ${text}`);
      }
      return found;
    },
    { faults: FAULTS, hidden: HIDDEN, shownMax: SHOWN_MAX, textMax: TEXT_MAX },
  );
}
