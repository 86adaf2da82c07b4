// Cuts one example out of its file's source, with the imports it uses, as a reader of the package would write them.

const IMPORT = /^import [^;]+?from "[^"]+";$/gm;
const LOCAL = /from "\.\.\/([\w/-]+)\.tsx?"/g;

function usesAny(statement: string, body: string): boolean {
  const names = statement
    .replace(/^import /, "")
    .replace(/ from .*$/s, "")
    .replace(/[{}]/g, " ")
    .split(/[\s,]+/)
    .filter((name) => name !== "" && name !== "type" && name !== "as");
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(body));
}

/** The exported function and the constants above it that it needs, down to the next export. */
function cutBlock(source: string, name: string): string {
  const lines = source.split("\n");
  const at = lines.findIndex((line) => line.startsWith(`export function ${name}(`));
  if (at < 0) return "";
  let start = at;
  while (start > 0 && !/^[})\]]/.test(lines[start - 1] ?? "") && !/^import /.test(lines[start - 1] ?? "")) start--;
  // Constants that belong to it stand directly above and end in their own bracket.
  while (start > 0 && !isBoundary(lines, start)) start--;
  let end = at;
  while (end < lines.length && lines[end] !== "}") end++;
  return lines
    .slice(start, end + 1)
    .join("\n")
    .trim();
}

function isBoundary(lines: readonly string[], start: number): boolean {
  const before = lines[start - 1] ?? "";
  if (/^import /.test(before) || /from "[^"]+";$/.test(before)) return true;
  if (before !== "}") return false;
  // A closing brace at the edge ends either another example or something this one uses.
  for (let index = start - 2; index >= 0; index--) {
    const line = lines[index] ?? "";
    if (/^export function /.test(line)) return true;
    if (/^(?:function|interface|const|async function) /.test(line)) return false;
  }
  return true;
}

export function readExample(source: string, name: string): string {
  const body = cutBlock(source, name);
  if (body === "") return "";
  const imports = (source.match(IMPORT) ?? []).filter((statement) => usesAny(statement, body));
  return `${imports.join("\n")}\n\n${body}\n`.replace(LOCAL, 'from "@clockwork/ui/$1"');
}
