// The settings shared by pages, declared once; config.ts reads them with all others.
import { readPartner } from "./domains.ts";
import { PATH_PATTERN } from "./server-settings.ts";
import { addressSetting, listSetting, parseOrigin, textSetting } from "./setting.ts";

/** Shared by pages: the product's other addresses, and the source of exchange rates. */
export const CONTENT_SETTINGS = {
  companyFile: textSetting(
    "CW_COMPANY",
    "",
    "JSON file with the facts of the company that pages and mails name, in the form of content/company.json; without it that sample is used, which production refuses",
    PATH_PATTERN,
    "a file path",
  ),
  riskPath: textSetting(
    "CW_RISK_PATH",
    "/risk-disclosure",
    "Where the risk disclosure stands; the usual path then leads there",
    /^\/ri[a-z0-9-]{1,60}$/,
    "a path beginning with /ri, of small letters, digits and hyphens",
  ),
  fastOrigins: listSetting(
    "CW_FAST_ORIGINS",
    "Further origins of this exchange; browsers take the fastest, and pages of each may call the others",
    "origins",
    parseOrigin,
  ),
  domain: textSetting(
    "CW_DOMAIN",
    "",
    "The domain of the exchange, such as clockwork.example: pages then call the futures API at futuresapi.clockwork.example, which this server answers too; point that name here and give it a certificate. Sessions are shared on the domain: the two corrected token cookies are set on it (CW_COOKIE_DOMAIN; one that does not cover CW_DOMAIN stops the start). A name of one label (localhost) shares no cookies: pages then call /futuresapi. Programs that name kinds of markets by host (ccxt with hostname) are answered at api., fapi. and dapi. below it",
    /^(?:localhost|(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63})$/,
    "a domain in small letters",
  ),
  domainListUrl: addressSetting(
    "CW_DOMAIN_LIST_URL",
    "Where a signed list of the exchange's addresses is published in addition to /domain-list.json; needs CW_DOMAIN_LIST_KEY, and CORS there",
    ["https:", "http:"],
  ),
  domainListKey: textSetting(
    "CW_DOMAIN_LIST_KEY",
    "",
    "Ed25519 public key of that list, 32 bytes in base64",
    /^[A-Za-z0-9+/]{43}=$/,
    "44 characters of base64",
  ),
  partnerDomains: listSetting(
    "CW_PARTNER_DOMAINS",
    "Partners' domains that lead here, each with its referral code",
    "domains with codes such as partner.example=AB12CD",
    (text) => (readPartner(text) === undefined ? undefined : text),
  ),
  chatUrl: addressSetting(
    "CW_CHAT_URL",
    "Page of an outside support chat, offered in the help centre in place of the built-in one (which operators answer at /operator/tickets). A signed-in user brings a token signed with the secret (JWT, HS256, five minutes: number, nickname, user type, language) behind the #",
    ["https:", "http:"],
  ),
  chatAppId: textSetting(
    "CW_CHAT_APP_ID",
    "",
    "The identifier of this exchange at the chat",
    /^[\w.-]{1,64}$/,
    "letters, digits, dots, hyphens and underscores",
  ),
  chatSecret: textSetting(
    "CW_CHAT_SECRET",
    "",
    "Secret shared with the chat; signs the token of a user",
    /^[\x21-\x7e]{32,256}$/,
    "32 to 256 printable characters without spaces",
    true,
  ),
  ratesUrl: addressSetting(
    "CW_RATES_URL",
    "Service that answers {rates: {EUR: 0.86, …}} per US dollar; without one a built-in table, labelled as simulated, is shown",
    ["https:", "http:"],
  ),
};
