// A served exchange behind TLS and host names, for clients that speak to nothing else: a certificate made on the spot
// and trusted by this process alone, names that lead to the loopback, bytes passed on as they are.
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import dns from "node:dns";
import { type AddressInfo, connect, type Socket } from "node:net";
import tls from "node:tls";

export interface TlsDoor {
  /** The name with its port, as in an address. */
  readonly host: string;
  close(): Promise<void>;
}

const YEAR_MS = 365 * 86_400_000;
const LENGTH_SHORT_MAX = 0x7f;

/** One value of DER: its tag, its length, what it holds. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length <= LENGTH_SHORT_MAX) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(4, "0"), "hex");
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, body]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const timeOf = (timeMs: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(timeMs).toISOString().replaceAll(/[-:T]/g, "").slice(0, 14)}Z`));
const ECDSA_SHA256 = sequence(objectId("2a8648ce3d040302"));

/** A certificate for these names, signed by its own key. */
function certify(names: readonly string[], keys: { publicKey: KeyObject; privateKey: KeyObject }): string {
  const common = sequence(objectId("550403"), der(0x0c, Buffer.from(names[0] ?? "")));
  const name = sequence(der(0x31, common));
  const alternatives = sequence(...names.map((one) => der(0x82, Buffer.from(one))));
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    name,
    sequence(timeOf(Date.now() - YEAR_MS), timeOf(Date.now() + YEAR_MS)),
    name,
    keys.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(objectId("551d11"), der(0x04, alternatives)))),
  );
  const signature = sign("sha256", toSign, keys.privateKey);
  const whole = sequence(toSign, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
  return `-----BEGIN CERTIFICATE-----\n${whole.toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

/** Names below this one lead to the loopback while it is open, as a line in a hosts file would have it. */
function nameLoopback(hostname: string): () => void {
  const before = dns.lookup;
  const isOurs = (name: string): boolean => name === hostname || name.endsWith(`.${hostname}`);
  const lookup = (name: string, ...more: unknown[]): void =>
    Reflect.apply(before, dns, [isOurs(name) ? "127.0.0.1" : name, ...more]);
  dns.lookup = Object.assign(lookup, { __promisify__: before.__promisify__ }) as typeof dns.lookup;
  return () => {
    dns.lookup = before;
  };
}

export async function openTls(url: string, hostname: string): Promise<TlsDoor> {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const cert = certify([hostname, `*.${hostname}`], keys);
  const key = keys.privateKey.export({ type: "pkcs8", format: "pem" });
  const trusted = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...trusted, cert]);
  const remove = nameLoopback(hostname);
  const sockets = new Set<Socket>();
  const server = tls.createServer({ cert, key }, (inside) => {
    const outside = connect(Number(new URL(url).port), "127.0.0.1");
    sockets.add(inside).add(outside);
    for (const one of [inside, outside]) {
      one.on("error", () => undefined);
      one.on("close", () => {
        inside.destroy();
        outside.destroy();
      });
    }
    inside.pipe(outside).pipe(inside);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    host: `${hostname}:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const one of sockets) one.destroy();
      await new Promise((done) => server.close(done));
      remove();
      tls.setDefaultCACertificates(trusted);
    },
  };
}
