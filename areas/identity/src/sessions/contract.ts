// The wire contract of sessions: signing in, staying signed in, signing out, devices. The only file a browser may
// import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { DEVICE_REFUSALS, REFUSALS } from "./refusals.ts";

export const Account = Type.String({ minLength: 3, maxLength: 254 });
export const Password = Type.String({ minLength: 1, maxLength: 128 });
const Code = Type.String({ minLength: 6, maxLength: 6, pattern: "^[0-9]+$" });
const Ticket = Type.String({ minLength: 16, maxLength: 64, pattern: "^[A-Za-z0-9_-]+$" });
const Captcha = Type.Record(Type.String({ pattern: "^[a-z_A-Z]{1,32}$" }), Type.String({ maxLength: 2048 }), {
  maxProperties: 8,
});

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

/** The device fingerprint record: the seventeen fields, each optional here, for a program may have none of them. */
export const Device = Type.Object({
  screen_resolution: text(64),
  available_screen_resolution: text(64),
  system_version: text(128),
  brand_model: text(128),
  system_lang: text(64),
  timezone: text(64),
  timezoneOffset: Type.Optional(Type.Number({ minimum: -1440, maximum: 1440 })),
  user_agent: text(1024),
  list_plugin: text(16_384),
  canvas_code: text(512),
  webgl_vendor: text(256),
  webgl_renderer: text(256),
  audio: text(128),
  platform: text(128),
  web_timezone: text(64),
  device_name: text(128),
  fingerprint: text(128),
});
export type Device = Static<typeof Device>;

export const FACTORS = ["totp", "email", "phone"] as const;
export const Factor = Type.Enum([...FACTORS]);
export type Factor = (typeof FACTORS)[number];

export const Codes = Type.Object({
  totp: Type.Optional(Code),
  email: Type.Optional(Code),
  phone: Type.Optional(Code),
});
export type Codes = Static<typeof Codes>;

export const LoginTypes = Type.Object({ types: Type.Array(Type.Enum(["password", "passkey"])) });

export const LoginBody = Type.Object({
  account: Type.Optional(Account),
  password: Type.Optional(Password),
  /** Continues a sign-in whose password was right. */
  ticket: Type.Optional(Ticket),
  codes: Type.Optional(Codes),
  device: Type.Optional(Device),
  captcha: Type.Optional(Captcha),
  staySignedIn: Type.Optional(Type.Boolean()),
});
export type LoginBody = Static<typeof LoginBody>;

/** Signed in (id), or the next required step (next) and the ticket for it. */
export const LoginAnswer = Type.Object({
  id: Type.Optional(Type.String()),
  next: Type.Optional(Type.Array(Factor)),
  ticket: Type.Optional(Type.String()),
  /** The receiver of the code, masked but recognisable to its owner. */
  sentTo: Type.Optional(Type.String()),
});
export type LoginAnswer = Static<typeof LoginAnswer>;

export const LoginCodeBody = Type.Object({ ticket: Ticket, captcha: Type.Optional(Captcha) });
export const CodeSent = Type.Object({ sentTo: Type.String(), resendSeconds: Type.Integer() });
export type CodeSent = Static<typeof CodeSent>;

export const SignOutBody = Type.Object({ everywhere: Type.Optional(Type.Boolean()) });
export const StayBody = Type.Object({ stay: Type.Boolean() });

export const SessionList = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      isCurrent: Type.Boolean(),
      deviceName: Type.String(),
      address: Type.String(),
      method: Type.String(),
      createdAtMs: Type.Integer(),
      seenAtMs: Type.Integer(),
    }),
  ),
  devices: Type.Array(
    Type.Object({
      id: Type.String(),
      isCurrent: Type.Boolean(),
      name: Type.String(),
      address: Type.String(),
      firstAtMs: Type.Integer(),
      lastAtMs: Type.Integer(),
    }),
  ),
});
export type SessionList = Static<typeof SessionList>;

export const RevokeBody = Type.Object({
  session: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  device: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});

export const ActivityQuery = Type.Object({
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
});
export const ActivityPage = Type.Object({
  rows: Type.Array(
    Type.Object({
      id: Type.Integer(),
      kind: Type.String(),
      address: Type.String(),
      deviceName: Type.String(),
      atMs: Type.Integer(),
    }),
  ),
  nextBefore: Type.Union([Type.Integer(), Type.Null()]),
});
export type ActivityPage = Static<typeof ActivityPage>;

export const SESSION_CALLS = {
  loginTypes: endpoint("POST", "/v2/users/login/validate-type", {
    body: Type.Object({ account: Account }),
    output: LoginTypes,
    refusals: REFUSALS,
  }),
  login: endpoint("POST", "/v2/users/login/do-login", { body: LoginBody, output: LoginAnswer, refusals: REFUSALS }),
  loginCode: endpoint("POST", "/v2/users/login/code", { body: LoginCodeBody, output: CodeSent, refusals: REFUSALS }),
  refresh: endpoint("POST", "/v2/users/session/refresh", { body: Type.Object({}), output: Type.Null() }),
  stay: endpoint("POST", "/v2/users/session/stay", { body: StayBody, output: Type.Null() }),
  signOut: endpoint("POST", "/v2/users/sign-out", { body: SignOutBody, output: Type.Null() }),
  devices: endpoint("GET", "/v2/users/devices", { output: SessionList }),
  revoke: endpoint("POST", "/v2/users/devices/revoke", {
    body: RevokeBody,
    output: Type.Null(),
    refusals: DEVICE_REFUSALS,
  }),
  activity: endpoint("GET", "/v2/users/activity", { query: ActivityQuery, output: ActivityPage }),
};
