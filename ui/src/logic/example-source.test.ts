import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readExample } from "./example-source.ts";

const SOURCE = `// Opening comment.

import { Button } from "../button.tsx";
import { useTouch } from "../hooks/use-touch.ts";
import { useState } from "react";

/** First. */
export function One() {
  const [a] = useState(0);
  return <Button>{a}</Button>;
}

const LIST = [
  1,
];

/** Second. */
export function Two() {
  return useTouch(LIST);
}
`;

describe("example source", () => {
  it("[PAGE-3] shows one example with only its own imports, written as a reader would", () => {
    expect(readExample(SOURCE, "One")).toBe(
      'import { Button } from "@clockwork/ui/button";\nimport { useState } from "react";\n\n/** First. */\nexport function One() {\n  const [a] = useState(0);\n  return <Button>{a}</Button>;\n}\n',
    );
    expect(readExample(SOURCE, "Two")).toBe(
      'import { useTouch } from "@clockwork/ui/hooks/use-touch";\n\nconst LIST = [\n  1,\n];\n\n/** Second. */\nexport function Two() {\n  return useTouch(LIST);\n}\n',
    );
    expect(readExample(SOURCE, "Three")).toBe("");
  });

  it("[PAGE-3] every example of the real pages can be cut out", () => {
    const pages = [
      "color",
      "date",
      "directives",
      "drag-sort",
      "element-plus",
      "element-plus-data",
      "element-plus-page",
      "fonts",
      "geetest",
      "select",
    ];
    for (const page of pages) {
      const source = readFileSync(new URL(`../examples/${page}.tsx`, import.meta.url), "utf8");
      const names = [...source.matchAll(/^export function (\w+)\(/gm)].map((match) => match[1] ?? "");
      expect(names.length).toBeGreaterThan(1);
      for (const name of names) {
        const shown = readExample(source, name);
        expect(shown).toContain(`export function ${name}(`);
        expect(shown.match(/^export function /gm)).toHaveLength(1);
        expect(shown).not.toContain('"../');
      }
    }
  });
});
