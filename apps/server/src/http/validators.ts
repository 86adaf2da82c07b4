// Compiles the validators and serializers of schemas, each on first use: compiling all takes longer than the rest of a
// start. A caller gets every fault of a form at once; where the caller chooses the number of parts, only the first, or
// one bad list would cost as many errors as it has items.
import { AjvCompiler } from "@fastify/ajv-compiler";
import { type SerializerFactory, SerializerSelector } from "@fastify/fast-json-stringify-compiler";
import type { JsonSchema } from "./schema.ts";

type Build = ReturnType<typeof AjvCompiler>;
type Check = ReturnType<ReturnType<Build>>;

/** Every server of a process is built with the same options, so a schema has one check. */
const checks = new WeakMap<JsonSchema, Check>();

export function buildValidators(): Build {
  const build = AjvCompiler();
  return (external, options) => {
    const compile = (allErrors: boolean) =>
      build(external, { ...options, customOptions: { ...options?.customOptions, allErrors } } as typeof options);
    const [first, all] = [compile(false), compile(true)];
    return (route) => {
      const { schema } = route as { readonly schema: JsonSchema };
      const make = () => (isOpenSized(schema) ? first : all)(route);
      return onFirstUse(() => {
        const check = checks.get(schema) ?? make();
        checks.set(schema, check);
        return check;
      }) as Check;
    };
  };
}

const serializers = new WeakMap<object, ReturnType<ReturnType<SerializerFactory>>>();

export function buildSerializers(): SerializerFactory {
  const build = SerializerSelector();
  return (external, options) => {
    const compile = build(external, options);
    return (route) => {
      const { schema } = route as { readonly schema: object };
      let serialize: ReturnType<typeof compile> | undefined;
      return (value) => {
        serialize ??= serializers.get(schema) ?? compile(route);
        serializers.set(schema, serialize);
        return serialize(value);
      };
    };
  };
}

/** The library reads what was wrong from the function itself. */
function onFirstUse(compile: () => Check): (value: unknown) => unknown {
  let check: Check | undefined;
  const lazy = (value: unknown): unknown => {
    check ??= compile();
    const isRight = check(value);
    lazy.errors = (check as { errors?: unknown }).errors;
    return isRight;
  };
  lazy.errors = undefined as unknown;
  return lazy;
}

/** True when a schema admits open lists or names. */
function isOpenSized(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { type, patternProperties, items } = schema as JsonSchema;
  if (type === "array" || patternProperties !== undefined || items !== undefined) return true;
  return Object.values(schema).some((part) => (Array.isArray(part) ? part.some(isOpenSized) : isOpenSized(part)));
}
