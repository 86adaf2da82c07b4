// Operators' decisions about voided friends: two of them decide that a friend counts, or no longer counts. Their
// decision holds whatever devices show later; hours computed before are unchanged.
import type { ProposalKind } from "@clockwork/host/proposal";
import type { RouteRejection } from "@clockwork/host/route";
import { DAY_MS } from "@clockwork/kit/time";
import { type JudgedFriends, JudgePayload } from "./contract.ts";
import type { InviteNeeds } from "./needs.ts";
import { DESK_REFUSALS, type DeskRefusal } from "./refusals.ts";
import type { InviteService } from "./service.ts";
import type { FriendRow, InviteStore } from "./store.ts";

export const INVITE_PERMISSION = "invite.manage";
const SHOWN_MAX = 200;

function wrong(code: DeskRefusal): RouteRejection<DeskRefusal> {
  const [status, message] = DESK_REFUSALS[code];
  return { code, status, message, fields: { "body.user": message } };
}

interface Parts {
  readonly store: InviteStore;
  readonly needs: Pick<InviteNeeds, "describePeople">;
}

export class InviteDesk {
  readonly #parts: Parts;
  readonly #invite: InviteService;

  constructor(parts: Parts, invite: InviteService) {
    this.#parts = parts;
    this.#invite = invite;
  }

  /** Voided and released friends, newest first. */
  async list(): Promise<JudgedFriends> {
    await this.#invite.noteFriends();
    const rows = await this.#parts.store.listJudged(SHOWN_MAX);
    const people = await this.#parts.needs.describePeople(rows.flatMap((row) => [row.user_id, row.inviter_id]));
    return {
      friends: rows.map((row) => ({
        user: String(row.user_id),
        inviter: String(row.inviter_id),
        name: people.get(row.user_id)?.masked ?? "•",
        inviterName: people.get(row.inviter_id)?.masked ?? "•",
        joinedAtMs: row.joined_ms,
        counts: row.state === "counts",
        reason: row.reason,
        through: row.through === "" ? [] : row.through.split(" "),
        releasedAtMs: row.released_ms,
      })),
    };
  }

  judgeKind(): ProposalKind<typeof JudgePayload, DeskRefusal> {
    return {
      kind: "invite.judge",
      permission: INVITE_PERMISSION,
      needsFreshProof: false,
      expiresAfterMs: 3 * DAY_MS,
      payload: JudgePayload,
      beneficiariesOf: (payload) => this.#gaining(payload),
      check: (payload) => this.#check(payload),
      describe: ({ user, inviter, counts, reason }) =>
        counts
          ? `Share the fees of account ${user} with whoever invited it (${inviter}), whatever devices they share: ${reason}`
          : `Share nothing of the fees of account ${user}, invited by ${inviter}, from now on: ${reason}`,
      execute: async (payload, { reference, timeMs }) => {
        const refused = await this.#check(payload);
        // Started before a crash: the state is already right.
        const isDone = refused?.code === (payload.counts ? "FRIEND_COUNTS" : "FRIEND_VOID");
        if (refused !== undefined && !isDone) return { end: "refused", code: refused.code, message: refused.message };
        await this.#invite.judge(Number(payload.user), payload.counts, { reference, timeMs });
        return { end: "done", outcome: payload.counts ? "counts" : "void" };
      },
    };
  }

  /** Fees are shared with the friend, their inviter and the inviter's inviter. */
  async #gaining({ user, inviter }: JudgePayload): Promise<readonly number[]> {
    const second = (await this.#parts.store.findFriend(Number(inviter)))?.inviter_id;
    return [Number(user), Number(inviter), ...(second === undefined ? [] : [second])];
  }

  async #check({ user, inviter, counts }: JudgePayload): Promise<RouteRejection<DeskRefusal> | undefined> {
    await this.#invite.noteFriends();
    const row: FriendRow | undefined = await this.#parts.store.findFriend(Number(user));
    if (row === undefined || row.inviter_id !== Number(inviter)) return wrong("FRIEND_UNKNOWN");
    if (row.inviter_id === row.user_id) return wrong("SELF_INVITED");
    if (counts === (row.state === "counts")) return wrong(counts ? "FRIEND_COUNTS" : "FRIEND_VOID");
    return undefined;
  }
}
