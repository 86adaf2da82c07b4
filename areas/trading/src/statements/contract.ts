// The wire contract of statements: asking for one, how far it is, its text in parts. Amounts are exact decimal text.
// The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const TimeMs = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 });
const FileId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });

export const STATEMENT_KINDS = ["postings", "tax"] as const;
export const STATEMENT_FORMATS = ["CSV", "JSON", "PDF"] as const;
export const COST_BASES = ["FIFO", "LIFO", "AVERAGE"] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];
export type CostBasis = (typeof COST_BASES)[number];

/** From the first millisecond to the one before the last; the period must be over. */
export const MakeBody = Type.Object(
  {
    kind: Type.Enum([...STATEMENT_KINDS]),
    format: Type.Enum([...STATEMENT_FORMATS]),
    /** Left out, all coins. */
    asset: Type.Optional(AssetCode),
    /** How the tax export counts what coins cost. */
    basis: Type.Optional(Type.Enum([...COST_BASES])),
    from: TimeMs,
    to: TimeMs,
    clientId: Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX }),
  },
  { additionalProperties: false },
);
export type MakeBody = Static<typeof MakeBody>;

export const StatementFile = Type.Object({
  fileId: Type.String(),
  clientId: Type.String(),
  kind: Type.Enum([...STATEMENT_KINDS]),
  format: Type.Enum([...STATEMENT_FORMATS]),
  asset: Type.Union([Type.String(), Type.Null()]),
  basis: Type.Enum([...COST_BASES]),
  fromMs: Type.Integer(),
  toMs: Type.Integer(),
  state: Type.Enum(["WAITING", "MAKING", "DONE", "FAILED"]),
  reason: Type.String(),
  rowsDone: Type.Integer(),
  rowsAll: Type.Integer(),
  parts: Type.Integer(),
  bytes: Type.Integer(),
  /** Of the whole file, and the journal's sequence it covers; empty and 0 until it is made. */
  sha256: Type.String(),
  journalHead: Type.Integer(),
  name: Type.String(),
  createdAtMs: Type.Integer(),
});
export type StatementFile = Static<typeof StatementFile>;
/** With the exchange's time: a period must be over by it. */
export const StatementFiles = Type.Object({ files: Type.Array(StatementFile), nowMs: Type.Integer() });
export type StatementFiles = Static<typeof StatementFiles>;

export const RemoveBody = Type.Object({ fileId: FileId }, { additionalProperties: false });
export const FileQuery = Type.Object({ fileId: FileId, part: Type.Integer({ minimum: 0, maximum: 100_000 }) });
export const FilePart = Type.Object({
  name: Type.String(),
  mediaType: Type.String(),
  part: Type.Integer(),
  parts: Type.Integer(),
  text: Type.String(),
});
export type FilePart = Static<typeof FilePart>;

export const PREVIEW_GROUPS = [
  "deposits",
  "withdrawals",
  "transfers",
  "trades",
  "fees",
  "futures",
  "earn",
  "otc",
  "rewards",
  "other",
] as const;
export type PreviewGroup = (typeof PREVIEW_GROUPS)[number];
export const PreviewQuery = Type.Object({ asset: AssetCode, from: TimeMs, to: TimeMs });
/** Opening and every group together are the closing, exactly. */
export const Preview = Type.Object({
  asset: Type.String(),
  opening: Type.String(),
  closing: Type.String(),
  rows: Type.Integer(),
  groups: Type.Array(Type.Object({ group: Type.Enum([...PREVIEW_GROUPS]), change: Type.String() })),
});
export type Preview = Static<typeof Preview>;

/** Private live channel: the caller's files, published again on every progress. */
export const STATEMENTS_CHANNEL = "statements";

export const STATEMENT_CALLS = {
  preview: endpoint("GET", "/asset/v1/api/statement/preview", {
    query: PreviewQuery,
    output: Preview,
    refusals: REFUSALS,
  }),
  make: endpoint("POST", "/asset/v1/api/statement/make", { body: MakeBody, output: StatementFile, refusals: REFUSALS }),
  list: endpoint("GET", "/asset/v1/api/statement/list", { output: StatementFiles }),
  remove: endpoint("POST", "/asset/v1/api/statement/remove", {
    body: RemoveBody,
    output: StatementFiles,
    refusals: REFUSALS,
  }),
  file: endpoint("GET", "/asset/v1/api/statement/file", { query: FileQuery, output: FilePart, refusals: REFUSALS }),
};
