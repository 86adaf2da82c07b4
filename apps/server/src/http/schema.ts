// What the edge demands of every input schema: objects closed, every text, number and list bounded. Also reads the
// texts of a query or a form into the types its schema names. Never coerces a JSON body.
import { parseDecimal } from "@clockwork/kit/decimal";

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Text formats a schema may name besides the standard ones. */
export const TEXT_FORMATS = {
  /** An exact unsigned decimal: no sign, no exponent, no NaN, bounded length. */
  decimal: { type: "string", validate: (text: string) => parseDecimal(text, { scaleMax: 18 }).ok },
  "signed-decimal": {
    type: "string",
    validate: (text: string) => parseDecimal(text, { scaleMax: 18, signed: true }).ok,
  },
} as const;

const BOUNDED_FORMATS = new Set([...Object.keys(TEXT_FORMATS), "uuid", "date", "date-time", "ipv4", "ipv6"]);
const NESTED_LISTS = ["anyOf", "oneOf", "allOf"] as const;

// Schemas are constants of their slices: what is made of one serves every server of the process.
const closed = new WeakMap<JsonSchema, JsonSchema>();

/** A plain copy with every object closed against unknown fields; one for each schema, never changed. */
export function closeSchema(schema: JsonSchema): JsonSchema {
  const known = closed.get(schema) ?? close(schema);
  closed.set(schema, known);
  return known;
}

function close(schema: JsonSchema): JsonSchema {
  const copy = structuredCopy(schema);
  visitSchemas(copy, "", (part) => {
    if (part.type === "object" && part.additionalProperties === undefined && part.patternProperties === undefined) {
      part.additionalProperties = false;
    }
  });
  return copy;
}

/** Everything has a limit: names what in an input schema has none. */
export function findUnbounded(schema: JsonSchema): readonly string[] {
  const found: string[] = [];
  visitSchemas(structuredCopy(schema), "", (part, path) => {
    const where = path === "" ? "/" : path;
    if (part.const !== undefined || part.enum !== undefined) return;
    if (part.type === "string" && part.maxLength === undefined && part.format === undefined) {
      found.push(`${where}: maxLength`);
    }
    // Validators are created on first use; an unrecognised format must be found before that.
    if (part.format !== undefined && !BOUNDED_FORMATS.has(String(part.format))) found.push(`${where}: a known format`);
    if (part.type === "number" || part.type === "integer") {
      const low = part.minimum ?? part.exclusiveMinimum;
      const high = part.maximum ?? part.exclusiveMaximum;
      if (!isSafeBound(low) || !isSafeBound(high)) found.push(`${where}: minimum and maximum`);
    }
    if (part.type === "array" && part.maxItems === undefined) found.push(`${where}: maxItems`);
    if (part.type === "object" && part.patternProperties !== undefined && part.maxProperties === undefined) {
      found.push(`${where}: maxProperties`);
    }
    if (Object.keys(part).length === 0) found.push(`${where}: a type`);
  });
  return found;
}

function isSafeBound(bound: unknown): boolean {
  return typeof bound === "number" && Number.isSafeInteger(Math.trunc(bound));
}

function visitSchemas(
  schema: Record<string, unknown>,
  path: string,
  visit: (part: Record<string, unknown>, path: string) => void,
): void {
  visit(schema, path);
  for (const keyword of ["properties", "patternProperties"]) {
    for (const [name, child] of Object.entries((schema[keyword] as object | undefined) ?? {})) {
      if (isRecord(child)) visitSchemas(child, `${path}/${name}`, visit);
    }
  }
  if (isRecord(schema.items)) visitSchemas(schema.items, `${path}/*`, visit);
  for (const keyword of NESTED_LISTS) {
    const variants = schema[keyword];
    if (!Array.isArray(variants)) continue;
    for (const child of variants) if (isRecord(child)) visitSchemas(child, path, visit);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON keeps standard JSON Schema and drops the schema library's own marks. */
function structuredCopy(schema: JsonSchema): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}

/**
 * Texts of a query, a path or a form as the schema's types. What cannot be parsed remains text and is refused by the
 * validator with the field's name. One spelling per number: `007`, `1e3`, `0x10`, ` 1` are not parsed.
 */
export function readTexts(schema: JsonSchema, texts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema | undefined>;
  const values: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(texts)) {
    // A plain assignment to __proto__ would change the object instead of naming the field to the validator.
    Object.defineProperty(values, name, {
      value: readText(Object.hasOwn(properties, name) ? properties[name] : undefined, text),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return values;
}

function readText(schema: JsonSchema | undefined, text: unknown): unknown {
  if (schema === undefined) return text;
  if (schema.type === "array") {
    const items = Array.isArray(text) ? text : [text];
    return items.map((item) => readText(schema.items as JsonSchema | undefined, item));
  }
  if (typeof text !== "string") return text;
  if (schema.type === "integer" && /^-?(?:0|[1-9]\d{0,15})$/.test(text)) return Number(text);
  if (schema.type === "number" && /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/.test(text)) return Number(text);
  if (schema.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Where a text of a checked input is no text: a NUL, which PostgreSQL cannot keep, or half of a surrogate pair, which
 *  no encoding can write. Undefined when all is well. The input has passed its schema, so its depth is bounded. */
export function findBrokenText(value: unknown, path: string): string | undefined {
  if (typeof value === "string") return isWhole(value) ? undefined : path;
  if (typeof value !== "object" || value === null) return undefined;
  for (const name of Object.keys(value)) {
    const child = (value as Readonly<Record<string, unknown>>)[name];
    if (isWhole(name) && (typeof child === "string" ? isWhole(child) : typeof child !== "object")) continue;
    const found = findBrokenText(child, `${path}.${name}`) ?? findBrokenText(name, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isWhole(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
