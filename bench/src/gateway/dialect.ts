// Signed orders of the Binance dialect for the benchmark of the gateway: a key for each trader, and requests written and
// signed beforehand, each once, as a client of that dialect sends them.
import { createHmac } from "node:crypto";
import { postRequest } from "./client.ts";

export interface Keyed {
  readonly apiKey: string;
  readonly secret: string;
}

/** An order as the exchange's own call takes it. */
interface Order {
  readonly pairCode: string;
  readonly side: string;
  readonly price: string;
  readonly quantity: string;
  readonly timeInForce?: string;
}

let written = 0;

function write(key: Keyed, first: string, values: Readonly<Record<string, string | number>>): Buffer {
  const all = { ...values, recvWindow: 60_000, timestamp: Date.now() };
  const plain = Object.entries(all)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const body = `${plain}&signature=${createHmac("sha256", key.secret).update(plain).digest("hex")}`;
  const type = "application/x-www-form-urlencoded";
  return Buffer.from(
    `${first} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: ${type}\r\nx-mbx-apikey: ${key.apiKey}\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
    "latin1",
  );
}

/** The same orders by the exchange's own call: with a client id, and their fills in the response. */
export function writeNamed(headers: Readonly<Record<string, string>>, orders: readonly Order[]): Buffer[] {
  return orders.map((order) => {
    written += 1;
    const body = { ...order, clientOrderId: `x-bench${written}`, tellFills: true };
    return postRequest("/api/v1/spot/orders", body, headers);
  });
}

/** This many requests in the order of a trader's own. */
export function writeSigned(key: Keyed, orders: readonly Order[]): Buffer[] {
  const symbol = orders[0]?.pairCode.replace("_", "") ?? "";
  return orders.map(({ side, price, quantity, timeInForce = "GTC" }) => {
    written += 1;
    return write(key, "POST /api/v3/order", {
      symbol,
      side: side.toUpperCase(),
      type: "LIMIT",
      timeInForce,
      quantity,
      price,
      newClientOrderId: `x-bench${written}`,
      newOrderRespType: "FULL",
    });
  });
}
