// The ports of the people slice: what accounts know of a user, and the user's own calls.
import type { Section } from "./contract.ts";

export interface PeopleNeeds {
  /** The name of an operator, or the masked one of a user. */
  nameOf(userId: number): Promise<string>;
  vipLevelOf(userId: number): Promise<number>;
  /** The worth of units of a coin in USDT units; undefined without a price. */
  worthUnits(asset: string, units: bigint): bigint | undefined;
  identityOf(
    userId: number,
    timeMs: number,
  ): Promise<{
    readonly level: number;
    readonly state: string;
    readonly reason: string;
    readonly submittedAtMs: number | null;
    readonly details: Readonly<Record<string, string | undefined>>;
  }>;
  securityOf(userId: number, timeMs: number): Promise<SecurityFacts>;
  /** The data of one of the user's own reads; undefined when it was refused. */
  readAs<Query, Body, Output>(
    userId: number,
    section: Section<Query, Body, Output>,
    input: { readonly query?: unknown; readonly body?: unknown },
    about: { readonly requestId: string; readonly address: string },
  ): Promise<unknown>;
}

export interface SecurityFacts {
  readonly hasTotp: boolean;
  readonly hasPasskeys: boolean;
  readonly hasTradePassword: boolean;
  readonly withdrawalLocks: readonly { readonly cause: string; readonly endsAtMs: number }[];
}
