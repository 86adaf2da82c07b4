// Makes the validators of schemas. A caller learns everything that is wrong with a form at once; where he himself chooses
// how many parts there are, he learns of the first, or one bad list would cost as many answers as it has items.
import { AjvCompiler } from "@fastify/ajv-compiler";
import type { JsonSchema } from "./schema.ts";

type Build = ReturnType<typeof AjvCompiler>;

export function buildValidators(): Build {
  const build = AjvCompiler();
  return (external, options) => {
    const compile = (allErrors: boolean) =>
      build(external, { ...options, customOptions: { ...options?.customOptions, allErrors } } as typeof options);
    const [first, all] = [compile(false), compile(true)];
    return (route) => (isOpenSized((route as { schema: JsonSchema }).schema) ? first : all)(route);
  };
}

/** True when a schema admits lists or names that the schema does not know. */
function isOpenSized(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { type, patternProperties, items } = schema as JsonSchema;
  if (type === "array" || patternProperties !== undefined || items !== undefined) return true;
  return Object.values(schema).some((part) => (Array.isArray(part) ? part.some(isOpenSized) : isOpenSized(part)));
}
