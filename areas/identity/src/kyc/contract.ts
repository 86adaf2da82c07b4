// The wire contract of identity verification. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { DOCUMENT_TYPES } from "@clockwork/kit/identity-documents";
import { type Static, Type } from "typebox";
import { LIVENESS_REFUSALS, REFUSALS, REVIEW_REFUSALS } from "./refusals.ts";

export const FILE_KINDS = ["document-front", "document-back", "selfie", "address-proof", "funds-proof"] as const;
/** Countries whose documents have the name in Chinese characters. */
export const NATIVE_NAME_COUNTRIES: readonly string[] = ["CN", "HK", "MO", "TW", "SG", "MY"];
export const FILE_BYTES_MAX = 4_000_000;

const Country = Type.String({ minLength: 2, maxLength: 2, pattern: "^[A-Z]{2}$" });
const Day = Type.String({ minLength: 10, maxLength: 10, pattern: "^\\d{4}-\\d{2}-\\d{2}$" });
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
export const FileKind = Type.Enum([...FILE_KINDS]);
export type FileKind = (typeof FILE_KINDS)[number];

/** Every field of the form; each level needs some of it. */
export const Details = Type.Object({
  firstName: text(64),
  lastName: text(64),
  /** As in a document of a country in `NATIVE_NAME_COUNTRIES`, in addition to the Latin one; optional. */
  nativeName: text(32),
  birthDate: Type.Optional(Day),
  country: Type.Optional(Country),
  documentType: Type.Optional(Type.Enum([...DOCUMENT_TYPES])),
  documentNumber: text(32),
  documentExpires: Type.Optional(Day),
  address: text(300),
  sourceOfFunds: text(300),
});
export type Details = Static<typeof Details>;

const State = Type.Enum(["NONE", "DRAFT", "SUBMITTED", "REVIEW", "APPROVED", "REJECTED", "MORE_INFO", "EXPIRED"]);

const FileKinds = Type.Array(Type.Unsafe<FileKind>(Type.String()));

export const Level = Type.Object({
  level: Type.Integer(),
  fields: Type.Array(Type.String()),
  files: FileKinds,
  withdrawalUsdtPerDay: Type.String(),
  opens: Type.Array(Type.String()),
});

/**
 * `simulated` examines no face: it only requires three directions to be repeated. `outside` is a provider's decision.
 */
export const LivenessState = Type.Object({
  kind: Type.Enum(["simulated", "outside"]),
  state: Type.Enum(["none", "waiting", "passed", "failed"]),
});
export type LivenessState = Static<typeof LivenessState>;

export const LivenessStarted = Type.Object({
  kind: Type.Enum(["simulated", "outside"]),
  /** The provider's page. */
  url: Type.Optional(Type.String()),
  /** The directions to repeat. */
  steps: Type.Optional(Type.Array(Type.String())),
});
export type LivenessStarted = Static<typeof LivenessStarted>;
export const LivenessBody = Type.Object({
  answers: Type.Optional(Type.Array(Type.String({ maxLength: 16 }), { maxItems: 8 })),
});

export const BaseInfo = Type.Object({
  level: Type.Integer(),
  state: State,
  /** The level that is written, reviewed or next. */
  target: Type.Integer(),
  /** Why it was rejected or what is missing, as written by the reviewer. */
  reason: Type.String(),
  submissionsLeft: Type.Integer(),
  details: Details,
  files: FileKinds,
  levels: Type.Array(Level),
  liveness: LivenessState,
  /** In strict mode withdrawals require the first level. */
  isStrict: Type.Boolean(),
});
export type BaseInfo = Static<typeof BaseInfo>;

export const DocumentTypesQuery = Type.Object({ country: Country });
export const DocumentTypes = Type.Object({ isBlocked: Type.Boolean(), types: Type.Array(Type.String()) });
export const UploadQuery = Type.Object({ kind: FileKind });

/** POST /dev/identity of the default run: a level for the asking. */
export const GivenLevel = Type.Object(
  { level: Type.Integer({ minimum: 0, maximum: 3 }) },
  { additionalProperties: false },
);

// For reviewers

const UserId = Type.String({ minLength: 1, maxLength: 12, pattern: "^[0-9]+$" });
export const ReviewQuery = Type.Object({ user: UserId });
export const ReviewFileQuery = Type.Object({ user: UserId, kind: FileKind });
export const DecideBody = Type.Object({
  user: UserId,
  decision: Type.Enum(["APPROVED", "REJECTED", "MORE_INFO"]),
  reason: Type.Optional(Type.String({ maxLength: 500 })),
});
export const Waiting = Type.Object({
  waiting: Type.Array(
    Type.Object({
      user: Type.String(),
      name: Type.String(),
      target: Type.Integer(),
      state: State,
      submittedAtMs: Type.Integer(),
    }),
  ),
});
export type Waiting = Static<typeof Waiting>;
export const ReviewFile = Type.Object({ mediaType: Type.String(), data: Type.String() });
export type ReviewFile = Static<typeof ReviewFile>;

export const KYC_CALLS = {
  giveLevel: endpoint("POST", "/dev/identity", {
    bases: ["root"],
    body: GivenLevel,
    output: GivenLevel,
    refusals: REFUSALS,
  }),
  baseInfo: endpoint("GET", "/v2/users/kyc/base-info", { output: BaseInfo }),
  documentTypes: endpoint("GET", "/v2/users/kyc/document-types", { query: DocumentTypesQuery, output: DocumentTypes }),
  draft: endpoint("POST", "/v2/users/kyc/draft", { body: Details, output: Type.Null(), refusals: REFUSALS }),
  upload: endpoint("POST", "/v2/users/kyc/upload", { query: UploadQuery, output: Type.Null(), refusals: REFUSALS }),
  submit: endpoint("POST", "/v2/users/kyc/submit", { body: Type.Object({}), output: Type.Null(), refusals: REFUSALS }),
  beginLiveness: endpoint("POST", "/v2/users/kyc/liveness/begin", {
    body: Type.Object({}),
    output: LivenessStarted,
    refusals: LIVENESS_REFUSALS,
  }),
  completeLiveness: endpoint("POST", "/v2/users/kyc/liveness/complete", {
    body: LivenessBody,
    output: LivenessState,
    refusals: LIVENESS_REFUSALS,
  }),
};

export const KYC_REVIEW_CALLS = {
  waiting: endpoint("GET", "/v2/users/kyc/review/waiting", { output: Waiting, refusals: REVIEW_REFUSALS }),
  one: endpoint("GET", "/v2/users/kyc/review/one", { query: ReviewQuery, output: BaseInfo, refusals: REVIEW_REFUSALS }),
  file: endpoint("GET", "/v2/users/kyc/review/file", {
    query: ReviewFileQuery,
    output: ReviewFile,
    refusals: REVIEW_REFUSALS,
  }),
  decide: endpoint("POST", "/v2/users/kyc/review/decide", {
    body: DecideBody,
    output: Type.Null(),
    refusals: REVIEW_REFUSALS,
  }),
};
