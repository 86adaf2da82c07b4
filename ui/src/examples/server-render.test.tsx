import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { LocaleProvider } from "../locale.tsx";
import { Toasts } from "../toast.tsx";
import * as color from "./color.tsx";
import * as date from "./date.tsx";
import * as directives from "./directives.tsx";
import * as dragSort from "./drag-sort.tsx";
import * as elementPlus from "./element-plus.tsx";
import * as elementPlusData from "./element-plus-data.tsx";
import * as elementPlusPage from "./element-plus-page.tsx";
import * as fonts from "./fonts.tsx";
import * as geetest from "./geetest.tsx";
import * as select from "./select.tsx";

const PAGES: Readonly<Record<string, Readonly<Record<string, ComponentType>>>> = {
  color,
  date,
  directives,
  dragSort,
  elementPlus,
  elementPlusData,
  elementPlusPage,
  fonts,
  geetest,
  select,
};

function render(Example: ComponentType): string {
  return renderToString(
    <LocaleProvider>
      <Example />
      <Toasts />
    </LocaleProvider>,
  );
}

describe("server rendering", () => {
  for (const [page, examples] of Object.entries(PAGES)) {
    it(`[SITE-20] ${page}: every example renders without a browser, twice the same`, () => {
      expect(typeof globalThis.document).toBe("undefined");
      for (const [name, Example] of Object.entries(examples)) {
        const first = render(Example);
        expect(first.length, name).toBeGreaterThan(20);
        expect(render(Example), name).toBe(first);
      }
    });
  }
});
