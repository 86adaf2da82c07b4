// Comments on leaders: written within limits, reported, hidden by operators, translated where a provider is configured.
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import type { Comment, CommentBody, CommentPage, ReportedList, Translation } from "./contract.ts";
import type { CommentRefusal } from "./refusals.ts";
import type { CommentRow, CommentStore } from "./store.ts";

export interface CommentNeeds {
  /** Whether there is such a leader to say something of. */
  isLeader(leader: number): Promise<boolean>;
  follows(userId: number, leader: number): Promise<boolean>;
  nicknameOf(userId: number): Promise<string>;
  /** Undefined without a configured provider, and without its answer. */
  translate(text: string, to: string): Promise<{ readonly text: string; readonly isSimulated: boolean } | undefined>;
  isSimulated(userId: number): boolean;
}

type Outcome<Value> = Promise<Result<Value, CommentRefusal>>;

const PER_HOUR = 5;
const PER_DAY = 20;
const PAGE = 20;
const REPORTED_MAX = 100;
const WAIT_SECONDS = "600";

export class CommentService {
  readonly #store: CommentStore;
  readonly #needs: CommentNeeds;

  constructor({ store, needs }: { readonly store: CommentStore; readonly needs: CommentNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async list(
    leader: number,
    userId: number | undefined,
    { before, limit = PAGE }: { readonly before?: string; readonly limit?: number },
  ): Promise<CommentPage> {
    const rows = await this.#store.list(leader, before === undefined ? Number.MAX_SAFE_INTEGER : Number(before), limit);
    const comments = await Promise.all(rows.map((row) => this.#describe(row, userId)));
    return { comments, nextBefore: rows.length < limit ? null : String(rows.at(-1)?.number ?? 0) };
  }

  async write(userId: number, { leaderId, text, clientId }: CommentBody, timeMs: number): Outcome<Comment> {
    const leader = Number(leaderId);
    if (!(await this.#needs.isLeader(leader))) return refused("LEADER_UNKNOWN");
    let why: CommentRefusal = "COMMENTS_TOO_OFTEN";
    const nickname = await this.#needs.nicknameOf(userId);
    const row = { client_id: clientId, leader, user_id: userId, nickname, text: text.trim(), created_ms: timeMs };
    const added = await this.#store.addWithin(row, async (own) => {
      if (await own.hasCommented(leader, row.text)) {
        why = "COMMENT_REPEATED";
        return false;
      }
      return (await own.countSince(timeMs - HOUR_MS)) < PER_HOUR && (await own.countSince(timeMs - DAY_MS)) < PER_DAY;
    });
    return added === undefined ? refused(why, WAIT_SECONDS) : done(await this.#describe(added, userId));
  }

  async remove(userId: number, commentId: string): Outcome<{ done: boolean }> {
    const row = await this.#store.find(Number(commentId));
    if (row === undefined || row.user_id !== userId) return refused("COMMENT_UNKNOWN");
    return done({ done: await this.#store.setState(row.number, { state: "REMOVED" }) });
  }

  async report(userId: number, commentId: string, reason: string, timeMs: number): Outcome<{ done: boolean }> {
    const row = await this.#store.find(Number(commentId));
    if (row === undefined || row.state !== "SHOWN") return refused("COMMENT_UNKNOWN");
    if (row.user_id === userId) return refused("OWN_COMMENT");
    await this.#store.report(row.number, userId, reason, timeMs);
    return done({ done: true });
  }

  async listReported(): Promise<ReportedList> {
    const rows = await this.#store.listReported(REPORTED_MAX);
    return rows.map(({ number, leader, nickname, text, reports, created_ms }) => ({
      commentId: String(number),
      leaderId: String(leader),
      nickname,
      text,
      reports,
      createdAtMs: created_ms,
    }));
  }

  /** Hidden, or kept with its reports closed. */
  async moderate(commentId: string, action: "hide" | "keep"): Outcome<{ done: boolean }> {
    const values = action === "hide" ? ({ state: "HIDDEN" } as const) : { reports: 0 };
    const changed = await this.#store.setState(Number(commentId), values);
    return changed ? done({ done: true }) : refused("COMMENT_UNKNOWN");
  }

  /** Without a provider, or its response, the text is returned unchanged, marked so. */
  async translate(text: string, to: string): Promise<Translation> {
    const translated = await this.#needs.translate(text, to);
    const isTranslated = translated !== undefined;
    return { text: translated?.text ?? text, isTranslated, isSimulated: translated?.isSimulated === true, to };
  }

  async #describe(row: CommentRow, userId: number | undefined): Promise<Comment> {
    return {
      commentId: String(row.number),
      nickname: row.nickname,
      text: row.text,
      isOwn: row.user_id === userId,
      isSimulated: this.#needs.isSimulated(row.user_id),
      isFollower: await this.#needs.follows(row.user_id, row.leader),
      createdAtMs: row.created_ms,
    };
  }
}
