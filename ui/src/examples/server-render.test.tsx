import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { LocaleProvider } from "../locale.tsx";
import { Toasts } from "../toast.tsx";

const PAGES = import.meta.glob<Readonly<Record<string, ComponentType>>>(["./*.tsx", "!./*.test.tsx"], { eager: true });

function render(Example: ComponentType): string {
  return renderToString(
    <LocaleProvider>
      <Example />
      <Toasts />
    </LocaleProvider>,
  );
}

it.each(Object.entries(PAGES))(
  "[SITE-20] %s: every example renders without a browser, twice the same",
  (_, examples) => {
    expect(typeof globalThis.document).toBe("undefined");
    for (const [name, Example] of Object.entries(examples)) {
      const first = render(Example);
      expect(first.length, name).toBeGreaterThan(20);
      expect(render(Example), name).toBe(first);
    }
  },
);
