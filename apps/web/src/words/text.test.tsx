// A page in another language, rendered by React itself into an element that shows nothing.
import { setImmediate as nextTurn } from "node:timers/promises";
import { type ReactNode, startTransition, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadOnce } from "./settled.ts";
import { defineTexts, LocaleContext } from "./text.ts";

/** As much of an element as React needs of one that it puts nothing into. */
function emptyElement(): Element {
  const document = { nodeType: 9, addEventListener: () => undefined };
  const element = { nodeType: 1, tagName: "DIV", ownerDocument: document, addEventListener: () => undefined };
  return element as unknown as Element;
}

beforeEach(() => vi.stubGlobal("window", { HTMLIFrameElement: class {} }));
afterEach(async () => {
  // React ends its work in its own turns.
  await nextTurn();
  vi.unstubAllGlobals();
});

interface PageProps {
  readonly onShown: (shown: string) => void;
}

/** What a page shows in French, and what React recovered from during the render. */
async function render(Page: (props: PageProps) => ReactNode) {
  const errors: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const root = createRoot(emptyElement(), { onRecoverableError: (error) => errors.push((error as Error).cause) });
  startTransition(() =>
    root.render(
      <LocaleContext value="fr_FR">
        <Page onShown={resolve} />
      </LocaleContext>,
    ),
  );
  const shown = await promise;
  root.unmount();
  return { shown, errors };
}

const inFrench = (word: string) => defineTexts({ word: "English" }, { "/fr-fr.json": () => Promise.resolve({ word }) });

test("[SITE-3] a component may keep state after words that arrive while it is rendered", async () => {
  const useWords = inFrench("premier");
  const rendered = await render(({ onShown }) => {
    const text = useWords();
    const [state] = useState("state");
    useEffect(() => onShown(`${text("word")} ${state}`));
    return null;
  });
  expect(rendered).toEqual({ shown: "premier state", errors: [] });
});

test("[SITE-3] a component of two areas that arrive during its render uses the texts of each", async () => {
  const [useFirst, useSecond] = [inFrench("premier"), inFrench("second")];
  const rendered = await render(({ onShown }) => {
    const [first, second] = [useFirst(), useSecond()];
    useEffect(() => onShown(`${first("word")} ${second("word")}`));
    return null;
  });
  expect(rendered).toEqual({ shown: "premier second", errors: [] });
});

test("[SITE-3] texts that failed to load are requested again after a navigation, and not before", async () => {
  let count = 0;
  vi.stubGlobal("location", { href: "/first" });
  const ask = loadOnce(async () => {
    count += 1;
    if (count === 1) throw new Error("not there");
    return "words";
  });
  await expect(ask()).rejects.toThrow("not there");
  await expect(ask()).rejects.toThrow("not there");
  expect(count).toBe(1);
  vi.stubGlobal("location", { href: "/second" });
  await expect(ask()).resolves.toBe("words");
  await expect(ask()).resolves.toBe("words");
  expect(count).toBe(2);
});
