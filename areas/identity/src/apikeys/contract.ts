// The wire contract of API keys. The only file of the slice a browser may import.

import { KEY_PERMISSIONS, type KeyPermission } from "@clockwork/kit/caller";
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

export const KEYS_MAX = 20;
export const IP_LIST_MAX = 30;
export const ORDER_RATE_MAX = 50;
export const LABEL_LENGTH_MAX = 32;

const ApiKeyText = Type.String({ pattern: "^[A-Za-z0-9]{64}$", maxLength: 64 });
const Label = Type.String({ minLength: 1, maxLength: LABEL_LENGTH_MAX });
const Permissions = Type.Array(Type.Unsafe<KeyPermission>(Type.Enum([...KEY_PERMISSIONS])), {
  minItems: 1,
  maxItems: KEY_PERMISSIONS.length,
});
/** Single addresses or ranges such as 10.0.0.0/8 and 2001:db8::/32. */
const IpList = Type.Array(Type.String({ minLength: 2, maxLength: 43 }), { maxItems: IP_LIST_MAX });
/** Orders in ten seconds this key may place; the account's own limit applies too. */
const OrderRate = Type.Integer({ minimum: 1, maximum: ORDER_RATE_MAX });

export const AddKeyBody = Type.Object(
  {
    label: Label,
    kind: Type.Unsafe<KeyKind>(Type.Enum(["HMAC", "ED25519", "RSA"])),
    /** Of ED25519 and RSA keys: PEM, as the client's tools write it. */
    publicKey: Type.Optional(Type.String({ minLength: 32, maxLength: 2048 })),
    permissions: Permissions,
    ipList: Type.Optional(IpList),
    orderRate: Type.Optional(OrderRate),
  },
  { additionalProperties: false },
);
export type AddKeyBody = Static<typeof AddKeyBody>;
export type KeyKind = "HMAC" | "ED25519" | "RSA";

export const UpdateKeyBody = Type.Object(
  {
    apiKey: ApiKeyText,
    label: Type.Optional(Label),
    permissions: Type.Optional(Permissions),
    ipList: Type.Optional(IpList),
    orderRate: Type.Optional(OrderRate),
  },
  { additionalProperties: false },
);
export type UpdateKeyBody = Static<typeof UpdateKeyBody>;

export const DeleteKeyBody = Type.Object({ apiKey: ApiKeyText }, { additionalProperties: false });

export const ApiKey = Type.Object({
  apiKey: Type.String(),
  label: Type.String(),
  kind: Type.String(),
  permissions: Type.Array(Type.String()),
  ipList: Type.Array(Type.String()),
  orderRate: Type.Integer(),
  createdAtMs: Type.Integer(),
  /** Null for a key bound to addresses: it does not expire. */
  expiresAtMs: Type.Union([Type.Integer(), Type.Null()]),
  lastUse: Type.Union([
    Type.Object({ timeMs: Type.Integer(), address: Type.String(), call: Type.String() }),
    Type.Null(),
  ]),
});
export type ApiKey = Static<typeof ApiKey>;
const Used = Type.Object({ used: Type.Integer(), max: Type.Integer() });
/**
 * Recent usage of programs: weight by this address in a minute, orders by the account, and the streams of the fullest
 * of the connections that came from this address or were authenticated by a key of the account.
 */
export const KeyLimits = Type.Object({
  weight: Used,
  ordersTenSeconds: Used,
  ordersDay: Used,
  streams: Used,
  connections: Type.Integer(),
});
export type KeyLimits = Static<typeof KeyLimits>;
export const ApiKeyList = Type.Object({
  keys: Type.Array(ApiKey),
  keysMax: Type.Integer(),
  /** The address of this call. */
  address: Type.String(),
  limits: KeyLimits,
  /** The markets are driven by simulated traders; screens must show that. */
  isSimulated: Type.Boolean(),
});
export type ApiKeyList = Static<typeof ApiKeyList>;

/** The secret of an HMAC key is returned here, once. */
export const AddedKey = Type.Object({
  apiKey: Type.String(),
  secret: Type.Optional(Type.String()),
  expiresAtMs: Type.Union([Type.Integer(), Type.Null()]),
});
export type AddedKey = Static<typeof AddedKey>;

/** One call of the exchange dialect. */
export const DialectCall = Type.Object({
  method: Type.String(),
  path: Type.String(),
  /** No key; the key alone; or key, time and signature. */
  security: Type.Union([Type.Literal("none"), Type.Literal("key"), Type.Literal("signed")]),
  /** The permission the key needs; null where none is signed. */
  permission: Type.Union([Type.String(), Type.Null()]),
  /** Of 6 000 a minute; null where it depends on the parameters. */
  weight: Type.Union([Type.Integer(), Type.Null()]),
});
export type DialectCall = Static<typeof DialectCall>;
export const DialectCalls = Type.Array(DialectCall);

export const API_KEY_CALLS = {
  dialect: endpoint("GET", "/v1/public/dialect-calls", { output: DialectCalls }),
  list: endpoint("GET", "/v2/users/api-keys/list", { output: ApiKeyList }),
  add: endpoint("POST", "/v2/users/api-keys/add", { body: AddKeyBody, output: AddedKey, refusals: REFUSALS }),
  update: endpoint("POST", "/v2/users/api-keys/update", { body: UpdateKeyBody, output: ApiKey, refusals: REFUSALS }),
  remove: endpoint("POST", "/v2/users/api-keys/delete", {
    body: DeleteKeyBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
};
