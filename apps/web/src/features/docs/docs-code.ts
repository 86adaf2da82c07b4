// Cuts the examples' sources out of their file. Runs in loaders on the server: sources never enter a bundle.
import { readExample } from "@clockwork/ui/logic/example-source";
import type { DocsData } from "./docs-page.tsx";

export function readCode(source: string): DocsData {
  const names = [...source.matchAll(/^export function (\w+)\(/gm)].map((match) => match[1] ?? "");
  return { code: Object.fromEntries(names.map((name) => [name, readExample(source, name).trim()])) };
}
