// Owns functions made of layouts: one straight line of code per kind instead of a loop over its fields, which is an order
// of magnitude faster, for reading events is most of what the server does. Only names and fields of our own layouts
// ever become code. Must give exactly what the loop gives.
import { assert } from "@clockwork/kit/assert";
import type { Field, OptionalField } from "./layout.ts";

type AnyField = Field<unknown> & Partial<OptionalField<unknown>>;
type Members = Readonly<Record<string, unknown>>;

/** Gives the object form of the event at a byte, with its kind, sequence and the journal's time. */
export type EventReader = (view: DataView, at: number, time: number) => Members;
/** Writes every member of a command's object form. */
export type CommandWriter = (view: DataView, at: number, command: Members) => void;

const PLAIN_NAME = /^[A-Za-z][A-Za-z0-9]*$/;

function listFields(layout: unknown): readonly (readonly [string, AnyField])[] {
  return Object.entries(layout as Readonly<Record<string, AnyField>>);
}

/** Where making code of text is forbidden, the loop does the same more slowly. */
function make<Made>(text: string, fields: readonly (readonly [string, AnyField])[], kind: string, loop: Made): Made {
  assert(
    [kind, ...fields.map(([name]) => name)].every((name) => PLAIN_NAME.test(name)),
    "CODEC-7",
    `${kind} by name`,
  );
  try {
    const make = new Function("fields", "kind", "lacks", text) as (...parts: unknown[]) => Made;
    return make(
      fields.map(([, field]) => field),
      kind,
      lacks,
    );
  } catch {
    return loop;
  }
}

function lacks(kind: string, name: string): never {
  assert(false, "CODEC-5", `${kind} lacks ${name}`);
  throw new Error("unreachable");
}

export function makeEventReader(kind: string, layout: unknown): EventReader {
  const fields = listFields(layout);
  const members = fields.map(([name], index) => `, ${name}: f${index}.read(view, at)`).join("");
  const text = `const [${fields.map((_, index) => `f${index}`).join(", ")}] = fields;
    return (view, at, time) => ({ kind, sequence: view.getFloat64(at + 8, true), time${members} });`;
  return make<EventReader>(text, fields, kind, (view, at, time) => {
    const read: Record<string, unknown> = { kind, sequence: view.getFloat64(at + 8, true), time };
    for (const [name, field] of fields) read[name] = field.read(view, at);
    return read;
  });
}

export function makeCommandWriter(kind: string, layout: unknown): CommandWriter {
  const fields = listFields(layout);
  const lines = fields.map(([name, { fallback }], index) =>
    fallback === undefined
      ? `f${index}.write(view, at, command.${name} ?? lacks(kind, ${JSON.stringify(name)}));`
      : `f${index}.write(view, at, command.${name} ?? f${index}.fallback);`,
  );
  const text = `const [${fields.map((_, index) => `f${index}`).join(", ")}] = fields;
    return (view, at, command) => { ${lines.join("\n")} };`;
  return make<CommandWriter>(text, fields, kind, (view, at, command) => {
    for (const [name, field] of fields) field.write(view, at, command[name] ?? field.fallback ?? lacks(kind, name));
  });
}
