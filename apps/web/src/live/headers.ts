// The headers every call carries, and those the futures calls add.
// Reads the session and the device through a source it is given; keeps no copy of either.
import { APP_VERSION, CLIENT_TAG, PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";

/** Source of the header values, read for every call. */
export interface HeaderSource {
  language(): string;
  /** The price currency. */
  selectType(): string;
  accessToken(): string | undefined;
  token(): string | undefined;
  loginToken(): string | undefined;
  futuresToken(): string | undefined;
  deviceId(): string;
  cwDeviceId(): string;
  systemVersion(): string;
  deviceName(): string;
  /** ios, android or flutter inside a native app, nothing in a browser. */
  system(): string | undefined;
}

export type HeaderFields = Record<string, string>;

/** Header values carry bytes, not text: a device named in Chinese must not make every call fail. */
export function encodeHeaderValue(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (letter) => encodeLetter(letter)).trim();
}

function encodeLetter(letter: string): string {
  try {
    return encodeURIComponent(letter);
  } catch {
    // Half of a surrogate pair has no encoding.
    return "%EF%BF%BD";
  }
}

export function buildHeaders(source: HeaderSource): HeaderFields {
  const system = source.system();
  return encodeFields({
    accept: "application/json",
    language: source.language(),
    "x-language": source.language(),
    "X-Authorization": source.accessToken() ?? "",
    selectType: source.selectType(),
    token: source.token() ?? "",
    loginToken: source.loginToken() ?? "",
    deviceId: source.deviceId(),
    cwDeviceId: source.cwDeviceId(),
    systemVersion: source.systemVersion(),
    deviceName: source.deviceName(),
    clientTag: CLIENT_TAG,
    ...(system === undefined ? {} : { system }),
  });
}

/** The futures API trusts its own token, else the login token. */
export function futuresToken(source: HeaderSource): string {
  return source.futuresToken() ?? source.loginToken() ?? "";
}

export function buildFuturesHeaders(source: HeaderSource): HeaderFields {
  const token = futuresToken(source);
  return {
    ...buildHeaders(source),
    ...encodeFields({
      authorization: token,
      appVersion: APP_VERSION,
      "Accept-Language": source.language().replace("_", "-"),
      "x-locale": source.language(),
      thirdAppToken: token,
      thirdAppId: PRODUCT_SHORT_NAME,
    }),
  };
}

function encodeFields(fields: HeaderFields): HeaderFields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, encodeHeaderValue(value)]));
}
