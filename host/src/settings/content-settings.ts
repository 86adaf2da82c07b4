// The settings shared by pages, declared once; config.ts reads them with all others.
import { readPartner } from "./domains.ts";
import { addressSetting, listSetting, parseOrigin, textSetting } from "./setting.ts";

/** Shared by pages: the product's other addresses, and the source of exchange rates. */
export const CONTENT_SETTINGS = {
  riskPath: textSetting(
    "CW_RISK_PATH",
    "/risk-disclosure",
    "Where the risk disclosure stands; the usual path then leads there",
    /^\/ri[a-z0-9-]{1,60}$/,
    "a path beginning with /ri, of small letters, digits and hyphens",
  ),
  fastOrigins: listSetting(
    "CW_FAST_ORIGINS",
    "Further origins this same exchange answers at; browsers take the fastest, and pages of each may call the others",
    parseOrigin,
  ),
  domain: textSetting(
    "CW_DOMAIN",
    "",
    "The domain the exchange is known by, such as clockwork.example: pages then call the futures API at futuresapi.<domain>; without one everything is below the page's own origin",
    /^(?:localhost|(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63})$/,
    "a domain in small letters",
  ),
  domainListUrl: addressSetting(
    "CW_DOMAIN_LIST_URL",
    "Where a signed list of the product's addresses is published besides /domain-list.json; needs CW_DOMAIN_LIST_KEY and CORS there",
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
    "Partners' domains that lead here with the invite code each carries, such as partner.example=AB12CD",
    (text) => (readPartner(text) === undefined ? undefined : text),
  ),
  chatUrl: addressSetting(
    "CW_CHAT_URL",
    "Page of an outside support chat; visitors are sent there with signed data about who they are. Without one the exchange's own chat is open, answered at the ticket desk",
    ["https:", "http:"],
  ),
  chatAppId: textSetting(
    "CW_CHAT_APP_ID",
    "",
    "What the chat knows this exchange by",
    /^[\w.-]{1,64}$/,
    "letters, digits, dots, hyphens and underscores",
  ),
  chatSecret: textSetting(
    "CW_CHAT_SECRET",
    "",
    "Secret shared with the chat; signs who somebody is",
    /^[\x21-\x7e]{32,256}$/,
    "32 to 256 printable characters without spaces",
    true,
  ),
  ratesUrl: addressSetting(
    "CW_RATES_URL",
    "Service that answers {rates: {EUR: 0.86, …}} per US dollar; without one a built-in table, marked as simulated, is shown",
    ["https:", "http:"],
  ),
};
