// How an OpenID provider is written in the configuration. Loads no library: every start reads this.

export interface OpenidProvider {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** `name|issuer|client id|client secret`, one per provider. */
export function readProvider(text: string): OpenidProvider | undefined {
  const [name = "", issuer = "", clientId = "", clientSecret = "", more] = text.split("|");
  const isWhole = /^[a-z]{2,16}$/.test(name) && clientId !== "" && clientSecret !== "" && more === undefined;
  const protocol = URL.parse(issuer)?.protocol;
  if (!isWhole || (protocol !== "https:" && protocol !== "http:")) return undefined;
  return { name, issuer, clientId, clientSecret };
}
