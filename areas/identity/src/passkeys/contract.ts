// The wire contract of passkeys: WebAuthn's own JSON shapes, bounded. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Bytes = (maxLength: number) => Type.String({ maxLength, pattern: "^[A-Za-z0-9_-]*$" });
const Open = Type.Object({}, { additionalProperties: true });
const shared = {
  id: Bytes(1400),
  rawId: Bytes(1400),
  type: Type.Literal("public-key"),
  authenticatorAttachment: Type.Optional(Type.Enum(["platform", "cross-platform"])),
  clientExtensionResults: Open,
};

export const Registration = Type.Object({
  ...shared,
  response: Type.Object({
    clientDataJSON: Bytes(4096),
    attestationObject: Bytes(16_384),
    authenticatorData: Type.Optional(Bytes(8192)),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 16 }), { maxItems: 8 })),
    publicKeyAlgorithm: Type.Optional(Type.Integer({ minimum: -70_000, maximum: 0 })),
    publicKey: Type.Optional(Bytes(4096)),
  }),
});
export type Registration = Static<typeof Registration>;

export const Authentication = Type.Object({
  ...shared,
  response: Type.Object({
    clientDataJSON: Bytes(4096),
    authenticatorData: Bytes(8192),
    signature: Bytes(2048),
    userHandle: Type.Optional(Bytes(128)),
  }),
});
export type Authentication = Static<typeof Authentication>;

/** The argument of `navigator.credentials`, as JSON. */
export const Ceremony = Type.Object({ options: Open });

export const BindBody = Type.Object({
  response: Registration,
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});
export const StepUpBody = Type.Object({ response: Authentication });
export const LoginBody = Type.Object({ response: Authentication, staySignedIn: Type.Optional(Type.Boolean()) });
export const KeyBody = Type.Object({ id: Bytes(1400) });
export const RenameBody = Type.Object({ id: Bytes(1400), name: Type.String({ minLength: 1, maxLength: 64 }) });

export const KeyList = Type.Object({
  keys: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      createdAtMs: Type.Integer(),
      usedAtMs: Type.Integer(),
    }),
  ),
});
export type KeyList = Static<typeof KeyList>;

export const PASSKEY_CALLS = {
  challenge: endpoint("POST", "/v2/users/passkey/challenge", { body: Type.Object({}), output: Ceremony }),
  login: endpoint("POST", "/v2/users/passkey/login", {
    body: LoginBody,
    output: Type.Object({ id: Type.String() }),
    refusals: REFUSALS,
  }),
  stepUp: endpoint("POST", "/v2/users/passkey/step-up", { body: StepUpBody, output: Type.Null(), refusals: REFUSALS }),
  bindChallenge: endpoint("POST", "/v2/users/passkey/bind/challenge", {
    body: Type.Object({}),
    output: Ceremony,
    refusals: REFUSALS,
  }),
  bind: endpoint("POST", "/v2/users/passkey/bind", { body: BindBody, output: Type.Null(), refusals: REFUSALS }),
  list: endpoint("GET", "/v2/users/passkey/list", { output: KeyList }),
  rename: endpoint("POST", "/v2/users/passkey/rename", { body: RenameBody, output: Type.Null(), refusals: REFUSALS }),
  remove: endpoint("POST", "/v2/users/passkey/remove", { body: KeyBody, output: Type.Null(), refusals: REFUSALS }),
};
