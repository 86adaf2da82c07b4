// Every example of the documentation pages under one another.

import * as color from "@clockwork/ui/examples/color";
import * as date from "@clockwork/ui/examples/date";
import * as directives from "@clockwork/ui/examples/directives";
import * as dragSort from "@clockwork/ui/examples/drag-sort";
import * as elementPlus from "@clockwork/ui/examples/element-plus";
import * as elementPlusData from "@clockwork/ui/examples/element-plus-data";
import * as elementPlusPage from "@clockwork/ui/examples/element-plus-page";
import * as fonts from "@clockwork/ui/examples/fonts";
import * as geetest from "@clockwork/ui/examples/geetest";
import * as select from "@clockwork/ui/examples/select";
import { Icon } from "@clockwork/ui/icon";
import { ICON_NAMES } from "@clockwork/ui/logic/icon-paths";
import type { ComponentType } from "react";

const PAGES: Record<string, Record<string, ComponentType>> = {
  color,
  date,
  directives,
  "drag-sort": dragSort,
  "element-plus": elementPlus,
  "element-plus-data": elementPlusData,
  "element-plus-page": elementPlusPage,
  fonts,
  geetest,
  select,
};

export function Examples({ page }: { page: string }) {
  return (
    <main className="mx-auto flex max-w-[976px] flex-col gap-10 p-8">
      <h1 className="text-section">{page}</h1>
      {Object.entries(PAGES[page] ?? {}).map(([name, Example]) => (
        <section key={name} className="flex flex-col gap-3">
          <h2 className="text-card">{name}</h2>
          <Example />
        </section>
      ))}
    </main>
  );
}

export function Icons() {
  return (
    <main className="p-8">
      <h1 className="mb-4 text-section">Icons</h1>
      <ul className="grid grid-cols-8 gap-4">
        {ICON_NAMES.map((name) => (
          <li key={name} className="flex flex-col items-center gap-2 text-axis text-muted">
            <span className="flex items-end gap-3 text-text">
              <Icon name={name} /> <Icon name={name} size={32} />
            </span>
            {name}
          </li>
        ))}
      </ul>
    </main>
  );
}
