import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readExamples } from "./example-source.ts";

const SOURCE = `// Opening comment.
import { Button } from "../button.tsx";
import { useTouch } from "../hooks/use-touch.ts";
import { useState } from "react";

/** First. One of two. */
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

it("[PAGE-3] shows one example with what it needs and only its own imports, written as a reader would", () => {
  expect(readExamples(SOURCE)).toEqual([
    {
      name: "One",
      title: "First",
      text: "One of two.",
      code: 'import { Button } from "@clockwork/ui/button";\nimport { useState } from "react";\n\nexport function One() {\n  const [a] = useState(0);\n  return <Button>{a}</Button>;\n}',
    },
    {
      name: "Two",
      title: "Second",
      text: "",
      code: 'import { useTouch } from "@clockwork/ui/hooks/use-touch";\n\nconst LIST = [\n  1,\n];\n\nexport function Two() {\n  return useTouch(LIST);\n}',
    },
  ]);
});

const FOLDER = new URL("../examples/", import.meta.url);

it.each(readdirSync(FOLDER).filter((file) => !file.includes(".test.")))(
  "[PAGE-3] every example of %s is shown",
  (file) => {
    const source = readFileSync(new URL(file, FOLDER), "utf8");
    const shown = readExamples(source);
    expect(shown.map(({ name }) => name)).toEqual(
      [...source.matchAll(/^export function (\w+)\(/gm)].map(([, name]) => name),
    );
    for (const { code } of shown) {
      expect(code.match(/^export function /gm)).toHaveLength(1);
      expect(code).not.toContain('"../');
    }
  },
);
