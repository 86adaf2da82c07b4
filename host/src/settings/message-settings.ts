// Providers of messages to users: mail, SMS, push, translation. Declared here as data; config.ts reads them.
import { addressSetting, choiceSetting, integerSetting, listSetting, textSetting } from "./setting.ts";

export const MESSAGE_SETTINGS = {
  smtpUrl: addressSetting(
    "CW_SMTP_URL",
    "Mail server, such as smtps://user:password@mail.example:465; without one nothing is mailed, and outside production messages stay in the outbox",
    ["smtp:", "smtps:"],
  ),
  mailFrom: textSetting(
    "CW_MAIL_FROM",
    "Clockwork <no-reply@localhost>",
    "Sender of mails",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a header with control characters is an injection.
    /^[^\u0000-\u001f]{3,200}$/,
    "a sender such as Name <mail@exchange.example>",
  ),
  translateUrl: addressSetting(
    "CW_TRANSLATE_URL",
    "Provider that translates comments, called as LibreTranslate is ({q, source, target, format} for {translatedText}); without one, or when it is unavailable, they are shown as written",
    ["http:", "https:"],
  ),
  translateKey: textSetting(
    "CW_TRANSLATE_KEY",
    "",
    "Key for that provider, sent as api_key",
    /^[\x21-\x7e]{1,256}$/,
    "1 to 256 printable characters without spaces",
    true,
  ),
  smsUrl: addressSetting(
    "CW_SMS_URL",
    "Gateway that takes SMS as a JSON POST of {to, text}; without one no SMS leaves",
    ["http:", "https:"],
  ),
  pushUrl: addressSetting(
    "CW_PUSH_URL",
    "Gateway that takes pushes to phones as a JSON POST of {to, title, text} (with an id for broadcasts, the same when it is repeated); without one none leaves",
    ["http:", "https:"],
  ),
  webPush: choiceSetting(
    "CW_WEB_PUSH",
    "on",
    "off: browsers cannot register for pushes, and nothing is sent to their push services",
    ["on", "off"],
  ),
  pushServices: listSetting(
    "CW_PUSH_SERVICES",
    "Origins of push services beyond those of Chromium, Firefox, Safari and Edge",
    "origins such as https://push.example",
    (text) => (/^https?:$/.test(URL.parse(text)?.protocol ?? "") ? URL.parse(text)?.origin : undefined),
  ),
  broadcastPerMinute: integerSetting(
    "CW_BROADCAST_PER_MINUTE",
    "600",
    "Mails and pushes of broadcasts (newsletter, news to phones) that are queued in a minute",
    6,
    60_000,
  ),
};
