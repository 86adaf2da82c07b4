// The wire contract of the content slice: rates, switches, downtimes, footer, countries, domains. The only file of the
// slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { PROPOSAL_REFUSALS, ProposalMade } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/** The socket channel of what every page shares; each type is published whole, the latest counts. */
export const COMMON_CHANNEL = "common";
export const COMMON_TYPES = ["rate", "config", "modules"] as const;
export type CommonType = (typeof COMMON_TYPES)[number];

const Rate = Type.String();

/** The price of one US dollar, as decimal text. */
export const ExchangeRate = Type.Object({
  base: Type.Enum(["USD"]),
  /** What one dollar costs; a currency without a known rate is left out. */
  rates: Type.Object({
    CNY: Type.Optional(Rate),
    USD: Rate,
    KRW: Type.Optional(Rate),
    TWD: Type.Optional(Rate),
    VND: Type.Optional(Rate),
    TRY: Type.Optional(Rate),
    RUB: Type.Optional(Rate),
    UAH: Type.Optional(Rate),
    EUR: Type.Optional(Rate),
    JPY: Type.Optional(Rate),
  }),
  /** ISO 8601; the age of the oldest rate shown. */
  asOf: Type.String(),
  /** Their source, by name; several are separated by a comma. */
  source: Type.String(),
  /** True when any of them is invented for trying the product and no market's. */
  simulated: Type.Boolean(),
});
export type ExchangeRate = Static<typeof ExchangeRate>;

/** The switches of the product: features to turn on or off, and addresses of chat groups. */
export const CONFIG_FLAGS = ["hbtSwitch", "systemOut"] as const;
export const CONFIG_ADDRESSES = ["chatGroupZhCN", "chatGroupZhTW", "chatGroupRuRU"] as const;
export const CONFIG_KEYS = [...CONFIG_FLAGS, ...CONFIG_ADDRESSES] as const;
export type ConfigKey = (typeof CONFIG_KEYS)[number];
/** Switches by name, all text; every visitor may read them. */
export const GlobalConfig = Type.Record(Type.String({ pattern: "^[A-Za-z][A-Za-z0-9]{0,63}$" }), Type.String(), {
  maxProperties: CONFIG_KEYS.length,
});
export type GlobalConfig = Static<typeof GlobalConfig>;

/** The parts of the product that can be down separately, each with a maintenance page of its own. */
export const MODULES = [
  "spot",
  "futures",
  "delivery",
  "simulated",
  "grid",
  "copy",
  "spotCopy",
  "earn",
  "launchpad",
  "otc",
  "wallet",
  "rewards",
  "invite",
  "vip",
  "kyc",
  "apiKeys",
  "support",
] as const;
export type Module = (typeof MODULES)[number];

export const ModuleQuery = Type.Object({ module: Type.Enum([...MODULES]) });

const Instant = Type.Union([Type.String(), Type.Null()]);

export const ModuleState = Type.Object({
  module: Type.Enum([...MODULES]),
  isDown: Type.Boolean(),
  /** Shown to visitors; empty when nothing is planned. */
  reason: Type.String(),
  /** ISO 8601; null when nothing is planned. */
  startsAt: Instant,
  /** ISO 8601; null when the end is open. */
  endsAt: Instant,
});
export type ModuleState = Static<typeof ModuleState>;

export const ModuleList = Type.Object({ modules: Type.Array(ModuleState) });
export type ModuleList = Static<typeof ModuleList>;

export const DowntimeBody = Type.Object(
  {
    module: Type.Enum([...MODULES]),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
    startsAtMs: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
    /** Null: the end is open. */
    endsAtMs: Type.Union([Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }), Type.Null()]),
    /** The typed name of the part, so that it is not taken down by mistake. */
    confirmation: Type.String({ maxLength: 64 }),
  },
  { additionalProperties: false },
);

/** `setAtMs` identifies the maintenance to end: an approval does not end a later one. */
export const OpenModulePayload = Type.Object(
  {
    module: Type.Enum([...MODULES]),
    setAtMs: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  },
  { additionalProperties: false },
);
export const OpenModuleBody = Type.Object(
  {
    module: Type.Enum([...MODULES]),
    clientId: Type.String({ pattern: "^[A-Za-z0-9_-]{8,64}$", maxLength: 64 }),
  },
  { additionalProperties: false },
);
export const ConfigBody = Type.Object(
  {
    key: Type.Enum([...CONFIG_KEYS]),
    value: Type.String({ maxLength: 512 }),
    /** The typed name of the switch, where it shows every visitor that the exchange is down. */
    confirmation: Type.Optional(Type.String({ maxLength: 64 })),
  },
  { additionalProperties: false },
);
export const RateBody = Type.Object(
  {
    currency: Type.String({ minLength: 3, maxLength: 3 }),
    rate: Type.Union([Type.String({ minLength: 1, maxLength: 26 }), Type.Null()]),
  },
  { additionalProperties: false },
);

/** The site's own data: names, the company behind it, the address of its risk disclosure. */
export const WebConfig = Type.Object({
  name: Type.String(),
  legalName: Type.String(),
  supportEmail: Type.String(),
  regulator: Type.String(),
  licenceNumber: Type.String(),
  /** True while the company's facts are the sample of the repository. */
  isSampleCompany: Type.Boolean(),
  /** True where coins have no value and users may request some. */
  hasTestFunds: Type.Boolean(),
  /** Nothing is sent for real: codes and mails are read on a page of the installation. */
  hasOutbox: Type.Boolean(),
  /** The bare path of the risk disclosure. */
  riskPath: Type.String(),
  languages: Type.Array(Type.String()),
  currencies: Type.Array(Type.String()),
});
export type WebConfig = Static<typeof WebConfig>;

const Title = Type.String({ maxLength: 80 });
const Target = Type.String({ maxLength: 300 });
export const FooterLink = Type.Object({ title: Title, to: Target });
export type FooterLink = Static<typeof FooterLink>;
export const FooterColumn = Type.Object({ title: Title, links: Type.Array(FooterLink, { maxItems: 16 }) });
export type FooterColumn = Static<typeof FooterColumn>;
export const FooterList = Type.Object({ columns: Type.Array(FooterColumn, { maxItems: 8 }) });
export type FooterList = Static<typeof FooterList>;
/** `was` is the version the editor read: of two concurrent changes of the same list the second is refused. */
export const FooterBody = Type.Object({
  was: Type.Array(FooterColumn, { maxItems: 8 }),
  columns: Type.Array(FooterColumn, { maxItems: 8 }),
});

export const SocialLink = Type.Object({ kind: Type.String({ maxLength: 32 }), title: Title, url: Target });
export type SocialLink = Static<typeof SocialLink>;
export const SocialList = Type.Object({ links: Type.Array(SocialLink, { maxItems: 16 }) });
export const SocialBody = Type.Object({
  was: Type.Array(SocialLink, { maxItems: 16 }),
  links: Type.Array(SocialLink, { maxItems: 16 }),
});

export const CountryList = Type.Object({
  countries: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), dialCode: Type.String() })),
});
export type CountryList = Static<typeof CountryList>;

export const DomainQuery = Type.Object({
  /** The host to use instead of the call's own: a page rendered on the server passes its visitor's. */
  host: Type.Optional(Type.String({ minLength: 1, maxLength: 260, pattern: "^[A-Za-z0-9.:\\[\\]_-]+$" })),
});

/** One address of the product: its four bases, and the inviter of a partner's domain. */
export const Domain = Type.Object({
  api: Type.String(),
  futuresApi: Type.String(),
  socket: Type.String(),
  futuresSocket: Type.String(),
  invite: Type.Optional(Type.String()),
  /** A session at the requesting address is valid there too. */
  carriesSession: Type.Optional(Type.Boolean()),
});
export type Domain = Static<typeof Domain>;

export const DomainList = Type.Object({
  domains: Type.Array(Domain),
  /** The invite number of the visitor's domain. */
  invite: Type.Union([Type.String(), Type.Null()]),
  /** A signed list published elsewhere, and the Ed25519 key that signs it, in base64. */
  published: Type.Union([Type.Object({ url: Type.String(), key: Type.String() }), Type.Null()]),
});
export type DomainList = Static<typeof DomainList>;

export const Ping = Type.Object({ timeMs: Type.Integer() });

const bases = ["spot", "futures"] as const;

export const CONTENT_CALLS = {
  exchangeRate: endpoint("GET", "/v1/common/exchange-rate", { output: ExchangeRate, bases }),
  globalConfig: endpoint("GET", "/v1/common/global-config", { output: GlobalConfig, bases }),
  module: endpoint("GET", "/v1/common/module-downtime", { query: ModuleQuery, output: ModuleState, bases }),
  modules: endpoint("GET", "/v1/common/modules", { output: ModuleList, bases }),
  webConfig: endpoint("GET", "/v1/home/web-config", { output: WebConfig, bases }),
  footer: endpoint("GET", "/v1/common/footer-list", { output: FooterList, bases }),
  social: endpoint("GET", "/v1/common/social-media", { output: SocialList, bases }),
  countries: endpoint("GET", "/v1/common/countries", { output: CountryList, bases }),
  domains: endpoint("GET", "/v1/common/domain-list", { query: DomainQuery, output: DomainList, bases }),
  ping: endpoint("GET", "/v1/common/ping", { output: Ping, bases }),
};

export const SITE_CONSOLE_CALLS = {
  footer: endpoint("POST", "/v2/operators/site/footer", { body: FooterBody, output: Type.Null(), refusals: REFUSALS }),
  social: endpoint("POST", "/v2/operators/site/social", { body: SocialBody, output: Type.Null(), refusals: REFUSALS }),
  downtime: endpoint("POST", "/v2/operators/site/downtime", {
    body: DowntimeBody,
    output: ModuleState,
    refusals: REFUSALS,
  }),
  clearDowntime: endpoint("POST", "/v2/operators/site/downtime/clear", {
    body: ModuleQuery,
    output: ModuleState,
    refusals: REFUSALS,
  }),
  open: endpoint("POST", "/v2/operators/site/downtime/open", {
    body: OpenModuleBody,
    output: ProposalMade,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
  config: endpoint("POST", "/v2/operators/site/config", { body: ConfigBody, output: GlobalConfig, refusals: REFUSALS }),
  rate: endpoint("POST", "/v2/operators/site/rate", { body: RateBody, output: ExchangeRate, refusals: REFUSALS }),
};
