// Accounts, operators and identity: secrets at rest, founding administrators, outside sign-in, identity checks, the puzzle.
// Declared here as data; config.ts reads them.
import { readProvider } from "./openid-provider.ts";
import { ON_OFF } from "./server-settings.ts";
import { addressSetting, choiceSetting, listSetting, textSetting } from "./setting.ts";

export const ACCOUNT_SETTINGS = {
  secretKey: textSetting(
    "CW_SECRET_KEY",
    "",
    "64 hexadecimal digits that encrypt secrets at rest; without it a key file in the data folder is used",
    /^[0-9a-fA-F]{64}$/,
    "64 hexadecimal digits",
    true,
  ),
  operatorEmails: {
    ...listSetting(
      "CW_OPERATOR_EMAIL",
      "Founding administrators; each is created once, with an account whose password is printed. Name two: what gives value or rights needs a second person",
      "email addresses",
      (text) => (/^[^\s@]{1,64}@[^\s@]{3,180}$/.test(text) ? text.toLowerCase() : undefined),
    ),
    fallback: "operator@clockwork.local",
  },
  passwordPriority: choiceSetting(
    "CW_PASSWORD_PRIORITY",
    "idle",
    "idle: passwords are hashed only when nothing else wants the processor, so that a wave of sign-ins cannot slow trading; normal: as any other work, where other programs keep every core busy",
    ["idle", "normal"],
  ),
  simulatedReviewer: choiceSetting(
    "CW_SIMULATED_REVIEWER",
    "auto",
    "auto: outside production a simulated person, marked as such, decides about proposals and identities within seconds; off: people alone",
    ["auto", "off"] as const,
  ),
  cookieDomain: textSetting(
    "CW_COOKIE_DOMAIN",
    "",
    "Parent domain the corrected token cookies are set on; without it CW_DOMAIN, without either the host",
    /^(?:[a-z0-9-]+\.)+[a-z]{2,63}$/,
    "a domain name",
  ),
  openid: listSetting(
    "CW_OPENID_PROVIDERS",
    "OpenID providers to sign in through; they send visitors back to /login-cw/social-verification. Without one, and outside production, a simulated provider is offered, labelled as such",
    "providers, each as name|issuer|client id|client secret",
    (text) => (readProvider(text) === undefined ? undefined : text),
    true,
  ),
  kycBlockedCountries: listSetting(
    "CW_KYC_BLOCKED_COUNTRIES",
    "Countries no user is verified from",
    "countries of two letters",
    (text) => (/^[A-Z]{2}$/.test(text) ? text : undefined),
  ),
  kycStrict: choiceSetting("CW_KYC_STRICT", "off", "on: withdrawals require the first identity level", ON_OFF),
  livenessUrl: addressSetting(
    "CW_LIVENESS_URL",
    "Provider that checks living faces (POST /sessions, GET /sessions/{token}); without one the check is simulated, labelled so, and examines no face",
    ["https:", "http:"],
  ),
  livenessKey: textSetting(
    "CW_LIVENESS_KEY",
    "",
    "Bearer token for that provider",
    /^[\x21-\x7e]{8,256}$/,
    "8 to 256 printable characters without spaces",
    true,
  ),
  captcha: choiceSetting("CW_CAPTCHA", "on", "off: programs sign in without a puzzle; refused in production", ON_OFF),
  geetestId: textSetting(
    "CW_GEETEST_ID",
    "",
    "GeeTest captcha id; replaces the embedded puzzle, and its hosts are added to the page policy. Needs CW_GEETEST_KEY",
    /^[\w-]{8,64}$/,
    "an id",
  ),
  geetestScript: textSetting(
    "CW_GEETEST_SCRIPT_URL",
    "https://static.geetest.com/v4/gt4.js",
    "Script of the GeeTest widget; its host is allowed in pages only while GeeTest is configured",
    /^https?:\/\/[\w.:-]+\/[\w./-]+$/,
    "an address of a script",
  ),
  geetestApi: textSetting(
    "CW_GEETEST_API_URL",
    "https://gcaptcha4.geetest.com",
    "GeeTest's service that verifies answers",
    /^https?:\/\/[\w.:-]+\/?$/,
    "an origin",
  ),
  geetestKey: textSetting("CW_GEETEST_KEY", "", "GeeTest captcha key", /^[\w-]{8,128}$/, "a key", true),
};
