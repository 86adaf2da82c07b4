// Owns the code in docs/new-slice.md: each block below a path of the example slice is a copy of that file.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = "docs/new-slice.md";
const SLICE = "apps/server/src/example-slice";
const BLOCK = /^`areas\/site\/src\/notes\/([\w.-]+)`\n\n```([a-z]+)\n.*?```$/gms;

export function writeExamplePage(root: string): void {
  const page = readFileSync(join(root, PAGE), "utf8");
  const written = page.replace(
    BLOCK,
    (_, file: string, language: string) =>
      `\`areas/site/src/notes/${file}\`\n\n\`\`\`${language}\n${readFileSync(join(root, SLICE, file), "utf8")}\`\`\``,
  );
  writeFileSync(join(root, PAGE), written);
}
