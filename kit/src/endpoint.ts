// One call of the API as both ends see it: method, path and the schemas that type its input and its response. A slice's
// contract declares them, its routes serve them, a page calls them. A page's build keeps only method and path.
import type { SchemaValue } from "./schema-value.ts";

export type EndpointMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The base of a route: below /api, below /futuresapi, at the root of the site. */
export type EndpointBase = "spot" | "futures" | "root";

/** The text of a refusal: with the field of the body it concerns, and when a retry may help. */
export type RefusalWords = readonly [
  status: number,
  message: string,
  about?: { readonly field?: string; readonly retryAfterSeconds?: number },
];

/** The response of a slice for each of its refusals. */
export type RefusalTable<Code extends string> = Readonly<Record<Code, RefusalWords>>;

export interface EndpointSchemas<Query, Params, Body, Output, Code extends string> {
  readonly query?: object & Query;
  /** Of the path's `:name` parts. */
  readonly params?: object & Params;
  readonly body?: object & Body;
  /** Schema of `data` in a successful response. */
  readonly output: object & Output;
  /**
   * The refusals of the call in addition to the codes of the edge; a code without a text of its own is one of the
   * core's.
   */
  readonly refusals?: { readonly [Name in Code]?: RefusalWords };
  /** Below /api only by default. */
  readonly bases?: readonly EndpointBase[];
}

export interface Endpoint<
  Query = unknown,
  Params = unknown,
  Body = unknown,
  Output = unknown,
  Code extends string = string,
> {
  readonly method: EndpointMethod;
  /** Path below the API base, with `:name` parameters. */
  readonly path: string;
  /** Absent in a page. */
  readonly schemas?: EndpointSchemas<Query, Params, Body, Output, Code>;
}

export function endpoint<
  Query = unknown,
  Params = unknown,
  Body = unknown,
  Output = unknown,
  Code extends string = never,
>(
  method: EndpointMethod,
  path: string,
  schemas?: EndpointSchemas<Query, Params, Body, Output, Code>,
): Endpoint<Query, Params, Body, Output, Code> {
  return schemas === undefined ? { method, path } : { method, path, schemas };
}

/** A list its reader does not change. */
export type Fixed<Value> = Value extends readonly (infer One)[] ? readonly One[] : Value;

/** Optional members may be undefined (in a query also null): they are not sent. */
type Given<Schema, Absent> = unknown extends Schema
  ? unknown
  : {
      [Name in keyof SchemaValue<Schema>]: undefined extends SchemaValue<Schema>[Name]
        ? Fixed<SchemaValue<Schema>[Name]> | Absent
        : Fixed<SchemaValue<Schema>[Name]>;
    };

/** The input of a caller: the body where the call has one, else query and path parameters together. */
export type InputOf<Called> =
  Called extends Endpoint<infer Query, infer Params, infer Body, infer _Output, infer _Code>
    ? Given<Params, never> & (unknown extends Body ? Given<Query, undefined | null> : Given<Body, undefined>)
    : never;

/** The data of a successful response. */
export type DataOf<Called> =
  Called extends Endpoint<infer _Query, infer _Params, infer _Body, infer Output, infer _Code>
    ? SchemaValue<Output>
    : never;

/** The slice's refusals of the call. */
export type CodeOf<Called> =
  Called extends Endpoint<infer _Query, infer _Params, infer _Body, infer _Output, infer Code> ? Code : never;

export type FieldValue = string | number | boolean | bigint | null | undefined;
export type Fields = Readonly<Record<string, FieldValue | readonly FieldValue[]>>;

/** The path with its `:name` parts filled from the input, and the fields left for the query or the body. */
export function fillPath(path: string, input: Fields): { readonly path: string; readonly rest: Fields } {
  if (!path.includes(":")) return { path, rest: input };
  const rest = { ...input };
  const filled = path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { path: filled, rest };
}
