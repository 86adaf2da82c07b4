// What the core told once, for products that read it later: holds that ran out, by business and from where a product has
// come, what people are told of their margins, and what of a user's worth must stay.

import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import type { EngineHandle, EventBatch } from "@clockwork/host/engine";
import type { Kysely } from "kysely";
import { isMarginEvent } from "../projectors/futures/margin-projector.ts";
import type { ExpiredHoldRow, MarginNotifiedRow, ProjectionTables } from "../projectors/rows/rows.ts";

export interface ExpiredHolds {
  /** In order behind a place; a product keeps the place it has come to with its own rows. */
  list(business: string, after: HoldPlace, rowsMax: number): Promise<readonly ExpiredHoldRow[]>;
  /** Told that some ran out, so that a product need not wait for its next round; the tables follow a moment later. */
  subscribe(listener: (sequence: number) => void): () => void;
}

export interface HoldPlace {
  readonly sequence: number;
  readonly line: number;
}

/** What people are told of their margins, in order behind a place. */
export interface MarginNotified {
  list(after: HoldPlace, rowsMax: number): Promise<readonly MarginNotifiedRow[]>;
  /** Told that there is more; the tables follow a moment later. */
  subscribe(listener: (sequence: number) => void): () => void;
}

export interface PublishedReader {
  readonly marginNotified: MarginNotified;
  readonly expiredHolds: ExpiredHolds;
  /** USDT units of the user's worth that must stay, as far as the tables have come. */
  readRestricted(userId: number): Promise<bigint>;
}

const HOLD_EXPIRED = EVENTS.holdExpired.kind;

export function publishedReader(kysely: Kysely<unknown>, engine: Pick<EngineHandle, "subscribe">): PublishedReader {
  const tables = kysely.$extendTables<ProjectionTables>();
  return {
    expiredHolds: {
      list: (business, { sequence, line }, rowsMax) =>
        tables
          .selectFrom("engine_expired_holds")
          .selectAll()
          .where("business", "=", business)
          .where((where) =>
            where.or([where("sequence", ">", sequence), where.and({ sequence }).and("line", ">", line)]),
          )
          .orderBy("sequence")
          .orderBy("line")
          .limit(rowsMax)
          .execute(),
      subscribe: (listener) =>
        engine.subscribe((batch) => {
          if (hasExpired(batch)) listener(batch.lastSequence);
        }),
    },
    marginNotified: {
      list: ({ sequence, line }, rowsMax) =>
        tables
          .selectFrom("engine_margin_told")
          .selectAll()
          .where((where) =>
            where.or([where("sequence", ">", sequence), where.and({ sequence }).and("line", ">", line)]),
          )
          .orderBy("sequence")
          .orderBy("line")
          .limit(rowsMax)
          .execute(),
      subscribe: (listener) =>
        engine.subscribe((batch) => {
          if (hasMargin(batch)) listener(batch.lastSequence);
        }),
    },
    async readRestricted(userId) {
      const query = tables.selectFrom("engine_restrictions").select("total_units").where("user_id", "=", userId);
      return (await query.executeTakeFirst())?.total_units ?? 0n;
    },
  };
}

function hasMargin({ bytes }: EventBatch): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
    if (isMarginEvent(bytes[at] as number, view, at)) return true;
  }
  return false;
}

function hasExpired({ bytes }: EventBatch): boolean {
  for (let at = 0; at < bytes.length; at += EVENT_BYTES) if (bytes[at] === HOLD_EXPIRED) return true;
  return false;
}
