// The wire contract of users: schemas and their types. The only file of the slice a browser may import.

import { CURRENCIES, LOCALES } from "@clockwork/kit/constants";
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { PROFILE_REFUSALS, REFUSALS } from "./refusals.ts";

export const Language = Type.Object({
  name: Type.String(),
  lang: Type.String(),
  fiatCurrency: Type.String(),
});
export type Language = Static<typeof Language>;

const OptionalText = Type.Union([Type.String(), Type.Null()]);

// The public profile

export const NICKNAME_LENGTH_MIN = 2;
export const NICKNAME_LENGTH_MAX = 24;
export const INTRO_LENGTH_MAX = 300;
const AVATAR_MAX = 11;
const Avatar = Type.Integer({ minimum: 0, maximum: AVATAR_MAX });

/** Stored by browsers as `userAnchorInfo`. */
export const Profile = Type.Object({
  nickname: Type.String(),
  /** One of twelve drawn pictures. */
  avatar: Avatar,
  intro: Type.String(),
  isPublic: Type.Boolean(),
});
export type Profile = Static<typeof Profile>;

export const UserInfo = Type.Object({
  id: Type.String(),
  /** Shown so that its owner recognises it. */
  email: OptionalText,
  phone: OptionalText,
  nickname: Type.String(),
  country: Type.String(),
  role: Type.Enum(["user", "operator"]),
  inviteCode: Type.String(),
  createdAtMs: Type.Integer(),
  kycLevel: Type.Integer(),
  /** The fee level of the account. */
  vipLevel: Type.Integer(),
  /** Show the next identity step on every page. */
  identityPopup: Type.Boolean(),
  hasTotp: Type.Boolean(),
  hasTradePassword: Type.Boolean(),
  unreadLetters: Type.Integer(),
  anchorInfo: Profile,
  userLanguage: Type.String(),
  pricingCurrency: Type.String(),
});
export type UserInfo = Static<typeof UserInfo>;

/** The visitor's state at start. An anonymous visitor has neither id nor userInfo. */
export const TopInfo = Type.Object({
  id: Type.Union([Type.String(), Type.Null()]),
  userInfo: Type.Union([UserInfo, Type.Null()]),
  availableLanguage: Type.Array(Type.String()),
});
export type TopInfo = Static<typeof TopInfo>;

export const LanguageMenu = Type.Object({ whiteList: Type.Array(Language) });
export type LanguageMenu = Static<typeof LanguageMenu>;

export const Account = Type.String({ minLength: 3, maxLength: 254 });
export const Password = Type.String({ minLength: 1, maxLength: 128 });
export const Code = Type.String({ minLength: 6, maxLength: 6, pattern: "^[0-9]+$" });
export const Captcha = Type.Record(Type.String({ pattern: "^[a-z_A-Z]{1,32}$" }), Type.String({ maxLength: 2048 }), {
  maxProperties: 8,
});

export const CodeBody = Type.Object({ account: Account, captcha: Type.Optional(Captcha) });
export const CodeSent = Type.Object({ resendSeconds: Type.Integer() });
export type CodeSent = Static<typeof CodeSent>;

export const SignUpBody = Type.Object({
  account: Account,
  code: Code,
  password: Password,
  inviteCode: Type.Optional(Type.String({ maxLength: 32 })),
  country: Type.Optional(Type.String({ maxLength: 2, pattern: "^[A-Z]{2}$" })),
  staySignedIn: Type.Optional(Type.Boolean()),
});
export type SignUpBody = Static<typeof SignUpBody>;

export const SignedUp = Type.Object({ id: Type.String() });

export const RegisterConfig = Type.Object({
  kinds: Type.Array(Type.Enum(["email", "phone"])),
  passwordLengthMin: Type.Integer(),
  passwordLengthMax: Type.Integer(),
  passwordClassesMin: Type.Integer(),
  codeLength: Type.Integer(),
  resendSeconds: Type.Integer(),
  isInviteRequired: Type.Boolean(),
  termsPath: Type.String(),
  privacyPath: Type.String(),
  mailDomains: Type.Array(Type.String()),
});
export type RegisterConfig = Static<typeof RegisterConfig>;

export const Preferences = Type.Object({ userLanguage: Type.String(), pricingCurrency: Type.String() });
export type Preferences = Static<typeof Preferences>;

export const PreferencesBody = Type.Object({
  userLanguage: Type.Optional(Type.Enum([...LOCALES])),
  pricingCurrency: Type.Optional(Type.Enum([...CURRENCIES])),
  deviceType: Type.Optional(Type.Enum(["h5", "web"])),
});
export type PreferencesBody = Static<typeof PreferencesBody>;

export const PriceTypeQuery = Type.Object({ priceType: Type.Enum([...CURRENCIES]) });

// Changes of the profile

export const ProfileBody = Type.Object({
  nickname: Type.Optional(Type.String({ maxLength: 64 })),
  avatar: Type.Optional(Avatar),
  intro: Type.Optional(Type.String({ maxLength: 1000 })),
  isPublic: Type.Optional(Type.Boolean()),
});
export type ProfileBody = Static<typeof ProfileBody>;

export const PublicProfileQuery = Type.Object({
  user: Type.String({ minLength: 1, maxLength: 12, pattern: "^[0-9]+$" }),
});
export const PublicProfile = Type.Object({
  id: Type.String(),
  nickname: Type.String(),
  avatar: Avatar,
  intro: Type.String(),
  /** The day the account was opened. */
  sinceMs: Type.Integer(),
});
export type PublicProfile = Static<typeof PublicProfile>;

export const USER_CALLS = {
  topInfo: endpoint("POST", "/v2/users/top-info", { body: Type.Object({}), output: TopInfo }),
  languages: endpoint("GET", "/v2/users/language-menu", { output: LanguageMenu }),
  registerConfig: endpoint("GET", "/v2/users/register/config", { output: RegisterConfig }),
  signUpCode: endpoint("POST", "/v2/users/sign-up/code", { body: CodeBody, output: CodeSent, refusals: REFUSALS }),
  signUp: endpoint("POST", "/v2/users/sign-up", { body: SignUpBody, output: SignedUp, refusals: REFUSALS }),
  preferences: endpoint("GET", "/v2/users/membership/user-perfenerce/get", { output: Preferences }),
  savePreferences: endpoint("POST", "/v2/users/membership/user-perfenerce/update", {
    body: PreferencesBody,
    output: Preferences,
  }),
  choosePriceType: endpoint("GET", "/index/changePriceType", {
    query: PriceTypeQuery,
    output: Type.Object({ priceType: Type.String() }),
  }),
  publicProfile: endpoint("GET", "/v2/users/profile/public", {
    query: PublicProfileQuery,
    output: PublicProfile,
    refusals: PROFILE_REFUSALS,
  }),
  profile: endpoint("GET", "/v2/users/profile/own", { output: Profile, refusals: PROFILE_REFUSALS }),
  saveProfile: endpoint("POST", "/v2/users/profile/update", {
    body: ProfileBody,
    output: Profile,
    refusals: PROFILE_REFUSALS,
  }),
};
