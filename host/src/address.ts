// Owns the client address behind trusted proxies and the key it is counted under. Never trusts a forwarding header that
// did not come from a configured proxy.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { BlockList, isIP, type Socket } from "node:net";

export interface ProxyTrust {
  trusts(address: string): boolean;
}

export function trustProxies(networks: readonly string[]): ProxyTrust {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return {
    trusts(address) {
      const plain = plainAddress(address);
      const family = isIP(plain);
      return family !== 0 && list.check(plain, family === 6 ? "ipv6" : "ipv4");
    },
  };
}

/** Walks from the peer towards the client and stops at the first untrusted address. */
export function clientAddress(
  request: { readonly socket: Pick<Socket, "remoteAddress">; readonly headers: IncomingHttpHeaders },
  trust: ProxyTrust,
): string {
  const peer = plainAddress(request.socket.remoteAddress ?? "");
  const header = request.headers["x-forwarded-for"];
  if (header === undefined || !trust.trusts(peer)) return peer;
  const hops = (Array.isArray(header) ? header.join(",") : header).split(",").map((hop) => plainAddress(hop.trim()));
  let address = peer;
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) break;
    address = hop;
    if (!trust.trusts(hop)) break;
  }
  return address;
}

/** True when the call came directly from this machine, not through a proxy on it. */
export function isDirectLocal(request: IncomingMessage): boolean {
  const peer = plainAddress(request.socket.remoteAddress ?? "");
  const forwarded = request.headers["x-forwarded-for"] ?? request.headers.forwarded ?? request.headers["x-real-ip"];
  return forwarded === undefined && (peer === "::1" || peer.startsWith("127."));
}

const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/;

/** IPv4 inside IPv6 is IPv4, in any notation. */
function plainAddress(address: string): string {
  if (!address.includes(":")) return address;
  const canonical = isIP(address) === 6 ? (URL.parse(`http://[${address.split("%")[0]}]`)?.hostname ?? "") : "";
  const mapped = MAPPED.exec(canonical);
  if (mapped === null) return address.toLowerCase();
  const bytes = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? "0", 16));
  return bytes.flatMap((group) => [group >> 8, group & 255]).join(".");
}

/** One household is one caller: an IPv6 customer has a whole /64 and must not get 2^64 allowances. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, missing)).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || "0", 16).toString(16))
    .join(":")}::/64`;
}
