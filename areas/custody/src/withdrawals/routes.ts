// REST of withdrawals, the address book and transfers to other users: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import {
  answer,
  type Outcome,
  type RouteContext,
  type RouteSpec,
  refuse,
  refuseBy,
  serve,
} from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import type { BookService } from "./book-service.ts";
import {
  type AddressBook,
  type Locked,
  type OpenPayload,
  type ReleasePayload,
  WITHDRAW_CALLS,
  type Withdrawal,
} from "./contract.ts";
import type { SpeedService } from "./fee-service.ts";
import type { ReconcileService } from "./reconcile-service.ts";
import { RECONCILE_REFUSALS, REFUSALS, type WithdrawRefusal } from "./refusals.ts";
import type { ReviewService } from "./review-service.ts";
import { FIELD_OF, lockedWords } from "./rules.ts";
import type { Caller, WithdrawService } from "./service.ts";
import type { WithdrawalRow } from "./store.ts";

export interface WithdrawRouteParts {
  readonly withdrawals: WithdrawService;
  readonly book: BookService;
  readonly review: ReviewService;
  readonly reconcile: ReconcileService;
  readonly audit: Audit;
  readonly proposeRelease: Propose<typeof ReleasePayload, never>;
  readonly proposeOpen: Propose<typeof OpenPayload, never>;
  readonly speed: SpeedService;
  readonly callerOf: (context: RouteContext) => Caller;
  /** Into the caller's activity log. */
  readonly record: (context: RouteContext, kind: string) => Promise<void>;
  /** What of somebody's worth must stay for now. */
  readonly locked: (userId: number) => Promise<Locked>;
}

/** The rate of calls that look users up by name. */
const NAMES_RATE = { callsMax: 60, windowMs: 60_000 } as const;
const reads = { tag: "wallet", scope: { key: "read" } } as const;
const own = { tag: "wallet", scope: "user" } as const;
const leaves = { tag: "wallet", scope: { key: "withdraw" } } as const;
const desk = { tag: "wallet", scope: { operator: "withdrawals.review" } } as const;

function refuseOut({
  code,
  detail,
}: {
  readonly code: WithdrawRefusal;
  readonly detail?: string;
}): Outcome<never, WithdrawRefusal> {
  const field = FIELD_OF[code];
  const [status, message] = REFUSALS[code];
  const isRest = detail !== undefined && code === "WITHDRAWALS_REST";
  const result = isRest
    ? `${message} They end at ${detail}.`
    : `${message}${code === "RESTRICTED" ? (detail ?? "") : ""}`;
  if (status === 429) return refuseBy(REFUSALS, { code, detail: detail ?? "60" });
  return refuse({ code, status, message: result, ...(field === undefined ? {} : { fields: { [field]: result } }) });
}

export function withdrawRoutes(parts: WithdrawRouteParts): readonly RouteSpec[] {
  const own = [...lookRoutes(parts.withdrawals), ...outRoutes(parts), ...bookRoutes(parts)];
  return [...own, ...deskRoutes(parts), ...pauseRoutes(parts)];
}

function tellers(withdrawals: WithdrawService, locked: WithdrawRouteParts["locked"]) {
  const notify = (result: Result<WithdrawalRow, WithdrawRefusal>): Outcome<Withdrawal, WithdrawRefusal> =>
    result.done ? answer(withdrawals.describe(result.value)) : refuseOut(result);
  return {
    notify,
    /** A held withdrawal is announced with the amount and the time. */
    async notifyOut(
      userId: number,
      result: Result<WithdrawalRow, WithdrawRefusal>,
    ): Promise<Outcome<Withdrawal, WithdrawRefusal>> {
      if (result.done || result.code !== "RESTRICTED") return notify(result);
      return refuseOut({ code: result.code, detail: lockedWords(await locked(userId)) });
    },
  };
}

function outRoutes({ withdrawals, speed, callerOf, locked }: WithdrawRouteParts): readonly RouteSpec[] {
  const { notify, notifyOut } = tellers(withdrawals, locked);
  return [
    serve(WITHDRAW_CALLS.limits, {
      ...reads,
      summary: "What the caller may withdraw today, what of it must stay and why, how it is proved, and why it rests",
      handle: async (_, { userId }) =>
        answer({ ...(await withdrawals.limits(Number(userId))), ...(await locked(Number(userId))) }),
    }),
    serve(WITHDRAW_CALLS.apply, {
      ...leaves,
      summary: "Withdraws to an address; the same clientId is the same withdrawal",
      handle: async ({ body }, context) =>
        notifyOut(Number(context.userId), await withdrawals.apply(callerOf(context), body)),
    }),
    serve(WITHDRAW_CALLS.code, {
      tag: "wallet",
      scope: "user",
      summary: "Sends the code that confirms one withdrawal or transfer, and names it; refused as that would be",
      handle: async ({ body }, context) => {
        const sent = await withdrawals.sendCode(callerOf(context), body);
        return sent.done ? answer(sent.value) : refuseOut(sent);
      },
    }),
    serve(WITHDRAW_CALLS.cancel, {
      ...leaves,
      summary: "Cancels a withdrawal that is not queued yet; what was frozen is free again",
      handle: async ({ body }, { userId }) => notify(await withdrawals.cancel(Number(userId), body.withdrawalId)),
    }),
    serve(WITHDRAW_CALLS.speedUp, {
      ...leaves,
      summary: "Pays the network's fee once more so that a withdrawal that waits for a block is offered more",
      handle: async ({ body }, { userId }) => notify(await speed.speedUp(Number(userId), body.withdrawalId)),
    }),
    serve(WITHDRAW_CALLS.list, {
      ...reads,
      summary: "The caller's withdrawals, newest first",
      handle: async ({ query }, { userId }) => answer(await withdrawals.list(Number(userId), query)),
    }),
    serve(WITHDRAW_CALLS.transfer, {
      ...leaves,
      summary: "Sends coins to another user by e-mail, phone or user number, at once and free",
      rate: NAMES_RATE,
      handle: async ({ body }, context) =>
        notifyOut(Number(context.userId), await withdrawals.transfer(callerOf(context), body)),
    }),
    serve(WITHDRAW_CALLS.book, {
      ...reads,
      summary: "Transfers between the caller and other users, newest first",
      handle: async (_, { userId }) => answer(await withdrawals.book(Number(userId))),
    }),
  ];
}

function lookRoutes(withdrawals: WithdrawService): readonly RouteSpec[] {
  return [
    serve(WITHDRAW_CALLS.look, {
      ...reads,
      summary: "What a withdrawal to an address would be: over the network for its fee, or within the exchange, free",
      handle: async ({ query }, { userId }) => {
        const result = await withdrawals.look(Number(userId), query);
        return result.done ? answer(result.value) : refuseOut(result);
      },
    }),
  ];
}

function bookRoutes({ book, callerOf, record }: WithdrawRouteParts): readonly RouteSpec[] {
  const notify = (result: Result<AddressBook, WithdrawRefusal>): Outcome<AddressBook, WithdrawRefusal> =>
    result.done ? answer(result.value) : refuseOut(result);
  return [
    serve(WITHDRAW_CALLS.addresses, {
      ...reads,
      summary: "The caller's address book",
      handle: async (_, { userId }) => answer(await book.list(Number(userId))),
    }),
    serve(WITHDRAW_CALLS.addAddress, {
      ...own,
      summary: "Saves an address or a user of the exchange, proved; it rests a day for programs and the mode",
      rate: NAMES_RATE,
      handle: async ({ body }, context) => {
        const added = await book.add(callerOf(context), body);
        if (added.done) await record(context, "address-added");
        return notify(added);
      },
    }),
    serve(WITHDRAW_CALLS.deleteAddress, {
      ...own,
      summary: "Removes a saved address",
      handle: async ({ body }, context) => {
        const removed = await book.remove(Number(context.userId), body.network, body.address);
        if (removed.done) await record(context, "address-removed");
        return notify(removed);
      },
    }),
    serve(WITHDRAW_CALLS.riskControl, {
      ...own,
      summary:
        "Allows only saved addresses, which rests them for a day, or all again, which rests withdrawals for a day",
      handle: async ({ body }, context) => {
        const turned = await book.setWhitelist(callerOf(context), body.isWhitelist, body.code);
        if (turned.done) await record(context, body.isWhitelist ? "whitelist-on" : "whitelist-off");
        return notify(turned);
      },
    }),
  ];
}

function deskRoutes({
  withdrawals,
  review,
  reconcile,
  audit,
  proposeRelease,
}: WithdrawRouteParts): readonly RouteSpec[] {
  return [
    serve(WITHDRAW_CALLS.queue, {
      ...desk,
      summary: "For operators: withdrawals that wait for a person, paused networks, and gifts of nobody known",
      handle: async () => answer({ ...(await review.queue()), gifts: [...(await reconcile.listUnclaimed())] }),
    }),
    serve(WITHDRAW_CALLS.decide, {
      ...desk,
      summary:
        "For operators: releases or refuses a withdrawal; from a worth on the release is proposed to a second person",
      handle: async ({ body }, context) => {
        const waiting = await review.findWaiting(body.withdrawalId);
        if (!waiting.done) return refuseOut(waiting);
        const row = waiting.value;
        if (row.user_id === Number(context.userId)) return refuseOut({ code: "WITHDRAWAL_UNKNOWN" });
        const { withdrawalId, amount, asset, address } = withdrawals.describe(row);
        if (body.decision === "APPROVED" && review.needsTwo(row)) {
          const payload = { withdrawalId, user: String(row.user_id), amount, asset, address: address ?? "" };
          const made = await proposeRelease(context, payload, withdrawalId);
          return made.ok ? answer({ state: row.state, proposalId: made.data.proposalId }) : made;
        }
        const detail = `${amount} ${asset} to ${address ?? ""}: ${body.reason ?? ""}`;
        await audit.record(context, `withdrawal.${body.decision.toLowerCase()}`, withdrawalId, detail);
        const decided =
          body.decision === "APPROVED"
            ? await review.approve(withdrawalId, Number(context.userId))
            : await review.reject(withdrawalId, Number(context.userId), body.reason ?? "");
        return decided.done ? answer({ state: decided.value.state, proposalId: null }) : refuseOut(decided);
      },
    }),
  ];
}

function pauseRoutes({ review, reconcile, audit, proposeOpen }: WithdrawRouteParts): readonly RouteSpec[] {
  return [
    serve(WITHDRAW_CALLS.pause, {
      ...desk,
      summary: "For operators: stops withdrawals over a network, or proposes to a second person to let them go on",
      handle: async ({ body }, context) => {
        const { network, isPaused, cause } = body;
        if (isPaused) {
          await audit.record(context, "withdrawals.paused", network, cause);
          await review.pause(network, cause);
          return answer({ proposalId: null });
        }
        const pause = review.findPause(network);
        if (pause === undefined) return refuseOut({ code: "NOT_PAUSED" });
        const made = await proposeOpen(context, pause, `${network}:${pause.sinceMs}`);
        return made.ok ? answer({ proposalId: made.data.proposalId }) : made;
      },
    }),
    serve(WITHDRAW_CALLS.reconcile, {
      ...desk,
      summary: "For operators: compares the chains with the ledger now",
      handle: async () => {
        const result = await reconcile.run();
        if (result !== undefined) return answer(result);
        const [status, message] = RECONCILE_REFUSALS.RECONCILE_AWAY;
        return refuse({ code: "RECONCILE_AWAY", status, message, retryAfterSeconds: 5 });
      },
    }),
  ];
}
