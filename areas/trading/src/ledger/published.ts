// Events the core publishes once, for products that read them later: expired holds, by business and from a product's
// position; margin notices; and the part of a user's worth that is restricted.

import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import type { EngineHandle, EventBatch } from "@clockwork/host/engine";
import type { Kysely } from "kysely";
import { isMarginEvent } from "../projectors/futures/margin-projector.ts";
import type { ExpiredHoldRow, MarginNotifiedRow, ProjectionTables } from "../projectors/rows/rows.ts";

export interface ExpiredHolds {
  /** In order after a position; a product stores its position with its own rows. */
  list(business: string, after: HoldPlace, rowsMax: number): Promise<readonly ExpiredHoldRow[]>;
  /** Called when some expired, so that a product need not wait for its next round; the tables follow shortly after. */
  subscribe(listener: (sequence: number) => void): () => void;
}

export interface HoldPlace {
  readonly sequence: number;
  readonly line: number;
}

/** Margin notices in order after a position. */
export interface MarginNotified {
  list(after: HoldPlace, rowsMax: number): Promise<readonly MarginNotifiedRow[]>;
  /** Called when there are more; the tables follow shortly after. */
  subscribe(listener: (sequence: number) => void): () => void;
}

export interface PublishedReader {
  readonly marginNotified: MarginNotified;
  readonly expiredHolds: ExpiredHolds;
  /** USDT units of the user's worth that are restricted, as of the position of the tables. */
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
