// The kinds of settings: how a text of the environment becomes a value, or why it is invalid. Reads no environment
// itself; config.ts declares the settings and is the only reader.
import { isIP } from "node:net";

export interface Setting<Value> {
  readonly name: string;
  /** The default as text; an empty one means "not set". */
  readonly fallback: string;
  readonly about: string;
  readonly secret?: boolean;
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
  return {
    name,
    fallback,
    about,
    parse(text) {
      const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? { value } : { wrong: `a whole number from ${min} to ${max}` };
    },
  };
}

export function textSetting(
  name: string,
  fallback: string,
  about: string,
  pattern: RegExp,
  wanted: string,
  secret = false,
): Setting<string> {
  return {
    name,
    fallback,
    about,
    secret,
    parse: (text) => (text === "" || pattern.test(text) ? { value: text } : { wrong: wanted }),
  };
}

export function choiceSetting<const Choice extends string>(
  name: string,
  fallback: Choice,
  about: string,
  choices: readonly Choice[],
): Setting<Choice> {
  return {
    name,
    fallback,
    about: `${about} (${choices.join(", ")})`,
    parse(text) {
      const value = choices.find((choice) => choice === text);
      return value === undefined ? { wrong: `one of ${choices.join(", ")}` } : { value };
    },
  };
}

/** An address that may hold a password. */
export function addressSetting(name: string, about: string, protocols: readonly string[]): Setting<string | undefined> {
  return {
    name,
    fallback: "",
    about,
    secret: true,
    parse(text) {
      if (text === "") return { value: undefined };
      const known = protocols.includes(URL.parse(text)?.protocol ?? "");
      return known ? { value: text } : { wrong: `a ${protocols[0]}// address` };
    },
  };
}

export function originSetting(name: string, about: string): Setting<string | undefined> {
  return {
    name,
    fallback: "",
    about,
    parse(text) {
      if (text === "") return { value: undefined };
      const value = parseOrigin(text);
      return value === undefined ? { wrong: "an origin such as https://exchange.example" } : { value };
    },
  };
}

export function listSetting(
  name: string,
  about: string,
  parseItem: (text: string) => string | undefined,
  secret = false,
): Setting<readonly string[]> {
  return {
    name,
    fallback: "",
    about: `${about}; a comma list`,
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
