// Reads the served OpenAPI document into what the reference page shows. Pure.

export interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly type: string;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly isSignedIn: boolean;
  readonly parameters: readonly Parameter[];
  /** An example body, as text. */
  readonly example: string | null;
}

export interface OperationGroup {
  readonly tag: string;
  readonly operations: readonly Operation[];
}

/** A group in an address: some are called by two words. */
export function groupName(tag: string): string {
  return tag.replaceAll(" ", "-");
}

type Json = Readonly<Record<string, unknown>>;

function record(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A schema's kind in a word or two. */
export function describeType(schema: unknown): string {
  const { type, enum: values, anyOf, const: fixed, items } = record(schema);
  if (values !== undefined) return list(values).map(String).join(" | ");
  if (fixed !== undefined) return String(fixed);
  if (anyOf !== undefined) return list(anyOf).map(describeType).join(" | ");
  if (type === "array") return `${describeType(items)}[]`;
  return typeof type === "string" ? type : "any";
}

/** The smallest value a schema admits, good enough as a start. */
export function exampleOf(schema: unknown): unknown {
  const { type, enum: values, anyOf, const: fixed, properties, required, items, minimum } = record(schema);
  if (fixed !== undefined) return fixed;
  if (values !== undefined) return list(values)[0];
  if (anyOf !== undefined) return exampleOf(list(anyOf)[0]);
  if (type === "object") {
    const needed = new Set(list(required));
    const entries = Object.entries(record(properties)).filter(([name]) => needed.has(name));
    return Object.fromEntries(entries.map(([name, part]) => [name, exampleOf(part)]));
  }
  if (type === "array") return [exampleOf(items)];
  if (type === "integer" || type === "number") return typeof minimum === "number" ? minimum : 0;
  return type === "boolean" ? false : "";
}

export function readReference(document: unknown): readonly OperationGroup[] {
  const groups = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(record(record(document).paths))) {
    for (const [method, value] of Object.entries(record(methods))) {
      const operation = record(value);
      const tag = String(list(operation.tags)[0] ?? "other");
      groups.set(tag, [...(groups.get(tag) ?? []), readOperation(method.toUpperCase(), path, operation)]);
    }
  }
  return [...groups]
    .map(([tag, operations]) => ({ tag, operations }))
    .sort((left, right) => (left.tag < right.tag ? -1 : 1));
}

function readOperation(method: string, path: string, operation: Json): Operation {
  const body = record(record(record(record(operation.requestBody).content)["application/json"]).schema);
  const needed = new Set(list(body.required));
  const fields = Object.entries(record(body.properties)).map(([name, schema]) => ({
    name,
    place: "body",
    isRequired: needed.has(name),
    type: describeType(schema),
  }));
  const parameters = list(operation.parameters)
    .map(record)
    .map((parameter) => ({
      name: String(parameter.name),
      place: String(parameter.in),
      isRequired: parameter.required === true,
      type: describeType(parameter.schema),
    }));
  return {
    id: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "-")}`,
    method,
    path,
    summary: String(operation.summary ?? ""),
    isSignedIn: list(operation.security).length > 0,
    parameters: [...parameters, ...fields],
    example: Object.keys(body).length === 0 ? null : JSON.stringify(exampleOf(body), null, 2),
  };
}
