// Reads a file of examples: each has a title and a text in its comment ("Title. Text."), and is cut out with its
// preceding definitions and the imports it uses, as a reader of the package would write them.

export interface ExampleSource {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly code: string;
}

const IMPORT = /^import [^;]+?from "[^"]+";$/gm;
const EXAMPLE = /\/\*\* ([^.]+)\. ?(.*?) ?\*\/\n(export function (\w+)\([\s\S]*?^\}$)/gm;
const LOCAL = /from "\.\.\/([\w/-]+)\.tsx?"/g;

function usesAny(statement: string, body: string): boolean {
  const names = statement.replace(/ from .*$/s, "").match(/\b(?!import\b|type\b|as\b)\w+/g) ?? [];
  return names.some((name) => new RegExp(`\\b${name}\\b`).test(body));
}

export function readExamples(source: string): readonly ExampleSource[] {
  const imports = [...source.matchAll(IMPORT)];
  const last = imports.at(-1);
  let from = last === undefined ? 0 : last.index + last[0].length;
  return [...source.matchAll(EXAMPLE)].map((match) => {
    const [whole, title = "", text = "", example = "", name = ""] = match;
    const body = `${source.slice(from, match.index).trim()}\n\n${example}`.trim();
    from = match.index + whole.length;
    const used = imports.map(([statement]) => statement).filter((statement) => usesAny(statement, body));
    return {
      name,
      title,
      text,
      code: `${used.join("\n")}\n\n${body}`.trim().replace(LOCAL, 'from "@clockwork/ui/$1"'),
    };
  });
}
