// The value a JSON Schema admits, derived from the type TypeBox gives it. Types only; independent of schema libraries.

/** A shape not listed here becomes `unknown`, never a guess. */
export type SchemaValue<Schema> = Schema extends { "~unsafe": infer Value }
  ? Value
  : Schema extends { const: infer Value }
    ? Value
    : Schema extends { enum: infer Values extends readonly unknown[] }
      ? Values[number]
      : Schema extends { anyOf: infer Variants extends readonly unknown[] }
        ? SchemaValue<Variants[number]>
        : Schema extends { type: "object"; properties: infer Properties }
          ? ObjectValue<Properties>
          : Schema extends { type: "object"; patternProperties: infer Patterns }
            ? Record<string, SchemaValue<Patterns[keyof Patterns]>>
            : Schema extends { type: "array"; items: infer Items }
              ? SchemaValue<Items>[]
              : Schema extends { type: infer Kind }
                ? PrimitiveValue<Kind>
                : unknown;

type PrimitiveValue<Kind> = Kind extends "string"
  ? string
  : Kind extends "number" | "integer"
    ? number
    : Kind extends "boolean"
      ? boolean
      : Kind extends "null"
        ? null
        : unknown;

type OptionalKey<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { "~optional": true } ? Key : never;
}[keyof Properties];

type ObjectValue<Properties> = {
  [Key in Exclude<keyof Properties, OptionalKey<Properties>>]: SchemaValue<Properties[Key]>;
} & { [Key in OptionalKey<Properties>]?: SchemaValue<Properties[Key]> };
