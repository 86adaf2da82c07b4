// Pure rules of pushed index prices: whose message it is, what it says, and a price in the ticks of a contract.
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { Command } from "@clockwork/core/protocol/command";
import { parseDecimal } from "@clockwork/kit/decimal";
import { toCoreUnits, units } from "@clockwork/kit/money";
import { done, type Result, refused } from "@clockwork/kit/result";
import { Value } from "typebox/value";
import type { MarketPair } from "../markets/pair.ts";
import { IndexMessage } from "./contract.ts";

/** As far as a message's time may be from the exchange's. */
export const AGE_MAX_MS = 10_000;
const TICKS_MAX = 0x3fffffff;
/** What every Ed25519 public key of 32 bytes has in front of it in its standard form. */
const KEY_HEAD = Buffer.from("302a300506032b6570032100", "hex");

export interface IndexSource {
  readonly name: string;
  /** Its number in the core: its place in the settings, so that a source keeps its own when another is added behind it. */
  readonly number: number;
  readonly key: KeyObject;
}

/** `name=key` of the settings, in their order. */
export function readSources(settings: readonly string[]): readonly IndexSource[] {
  return settings.map((text, number) => {
    const at = text.indexOf("=");
    const key = createPublicKey({
      key: Buffer.concat([KEY_HEAD, Buffer.from(text.slice(at + 1), "base64")]),
      format: "der",
      type: "spki",
    });
    return { name: text.slice(0, at), number, key };
  });
}

export function isOwn({ key }: IndexSource, message: string, signature: string): boolean {
  return verify(null, Buffer.from(message), key, Buffer.from(signature, "base64"));
}

export function readMessage(text: string): Result<IndexMessage, "INDEX_MESSAGE_INVALID"> {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return refused("INDEX_MESSAGE_INVALID");
  }
  if (!Value.Check(IndexMessage, read)) return refused("INDEX_MESSAGE_INVALID");
  const isGood = Object.values(read.prices).every((price) => {
    const parsed = parseDecimal(price);
    return parsed.ok && parsed.value.units > 0n;
  });
  return isGood ? done(read) : refused("INDEX_MESSAGE_INVALID");
}

/** The nearest tick; undefined where the contract cannot express it. */
export function ticksOf(
  { priceMantissa, priceDecimals }: Pick<MarketPair, "priceMantissa" | "priceDecimals">,
  price: string,
): number | undefined {
  const parsed = parseDecimal(price);
  if (!parsed.ok) return undefined;
  const { units: digits, scale } = parsed.value;
  const above = digits * 10n ** BigInt(priceDecimals);
  const below = BigInt(priceMantissa) * 10n ** BigInt(scale);
  const ticks = units((2n * above + below) / (2n * below));
  return ticks > 0n && ticks <= BigInt(TICKS_MAX) ? toCoreUnits(ticks) : undefined;
}

/** A command for each listed contract of a coin whose price is given; demo markets follow the real ones. */
export function toCommands(
  source: IndexSource,
  { prices }: IndexMessage,
  contracts: readonly Pick<MarketPair, "market" | "base" | "priceMantissa" | "priceDecimals" | "status">[],
): readonly Command[] {
  return contracts.flatMap((contract): Command[] => {
    const given = contract.status === "DELISTED" ? undefined : prices[contract.base.symbol];
    const price = given === undefined ? undefined : ticksOf(contract, given);
    return price === undefined
      ? []
      : [{ kind: "setIndexPrice", market: contract.market, source: source.number, price }];
  });
}
