// The kinds of settings: how a text of the environment becomes a value, or why it is invalid. Reads no environment
// itself; config.ts declares the settings and is the only reader.
import { isIP } from "node:net";

export interface Setting<Value> {
  readonly name: string;
  /** The default as text; an empty one means "not set". */
  readonly fallback: string;
  /** What it sets, for operators: plain sentences without a full stop at the end. */
  readonly about: string;
  /** What a value looks like, with its bounds: "a whole number from 0 to 65535". */
  readonly shape: string;
  readonly secret?: boolean;
  /** Read from the environment alone, never from the settings file. */
  readonly isVariableOnly?: boolean;
  /** Returns the value, or what is wrong with the text. */
  parse(text: string): { readonly value: Value } | { readonly wrong: string };
}

export function integerSetting(
  name: string,
  fallback: string,
  about: string,
  min: number,
  max: number,
): Setting<number> {
  const shape = `a whole number from ${min} to ${max}`;
  return {
    name,
    fallback,
    about,
    shape,
    parse(text) {
      const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? { value } : { wrong: shape };
    },
  };
}

export function textSetting(
  name: string,
  fallback: string,
  about: string,
  pattern: RegExp,
  shape: string,
  secret = false,
): Setting<string> {
  return {
    name,
    fallback,
    about,
    shape,
    secret,
    parse: (text) => (text === "" || pattern.test(text) ? { value: text } : { wrong: shape }),
  };
}

export function choiceSetting<const Choice extends string>(
  name: string,
  fallback: Choice,
  about: string,
  choices: readonly Choice[],
): Setting<Choice> {
  const shape = `one of ${choices.join(", ")}`;
  return {
    name,
    fallback,
    about,
    shape,
    parse(text) {
      const value = choices.find((choice) => choice === text);
      return value === undefined ? { wrong: shape } : { value };
    },
  };
}

/** An address that may hold a password. */
export function addressSetting(name: string, about: string, protocols: readonly string[]): Setting<string | undefined> {
  return {
    name,
    fallback: "",
    about,
    shape: `${protocols.length > 1 ? "an address:" : "a"} ${protocols.map((protocol) => `${protocol}//…`).join(" or ")}`,
    secret: true,
    parse(text) {
      if (text === "") return { value: undefined };
      const known = protocols.includes(URL.parse(text)?.protocol ?? "");
      return known ? { value: text } : { wrong: `a ${protocols[0]}// address` };
    },
  };
}

const ORIGIN = "an origin such as https://exchange.example";

export function originSetting(name: string, about: string): Setting<string | undefined> {
  return {
    name,
    fallback: "",
    about,
    shape: ORIGIN,
    parse(text) {
      if (text === "") return { value: undefined };
      const value = parseOrigin(text);
      return value === undefined ? { wrong: ORIGIN } : { value };
    },
  };
}

export function listSetting(
  name: string,
  about: string,
  item: string,
  parseItem: (text: string) => string | undefined,
  secret = false,
): Setting<readonly string[]> {
  return {
    name,
    fallback: "",
    about,
    shape: `a list of ${item}`,
    secret,
    parse(text) {
      const items = text.split(",").map((item) => item.trim());
      const wanted = items.filter((item) => item !== "");
      const parsed = wanted.map(parseItem);
      const bad = wanted.find((_, index) => parsed[index] === undefined);
      if (bad !== undefined) {
        return { wrong: `a comma list: ${secret ? "an item" : JSON.stringify(bad)} cannot be read` };
      }
      return { value: Object.freeze(parsed.filter((item) => item !== undefined)) };
    },
  };
}

export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  return url.origin === text.replace(/\/$/, "") ? url.origin : undefined;
}

/** An address or a network in prefix notation. */
export function parseNetwork(text: string): string | undefined {
  const [address = "", prefix, more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more !== undefined) return undefined;
  if (prefix === undefined) return address;
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  return bits <= (family === 4 ? 32 : 128) ? text : undefined;
}
