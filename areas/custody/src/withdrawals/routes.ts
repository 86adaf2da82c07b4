// REST of withdrawals, the address book and transfers to other users: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import {
  answer,
  defineRoute,
  type Outcome,
  type RouteContext,
  type RouteSpec,
  refuse,
  refuseBy,
} from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { Type } from "typebox";
import type { BookService } from "./book-service.ts";
import {
  AddAddressBody,
  AddressBook,
  AddressLook,
  ApplyBody,
  CancelBody,
  DecideBody,
  Decided,
  DeleteAddressBody,
  Limits,
  LookQuery,
  type OpenPayload,
  PauseBody,
  Paused,
  Reconciliation,
  type ReleasePayload,
  ReviewQueue,
  RiskControlBody,
  type Staying,
  TransferBody,
  WITHDRAW_PATHS,
  Withdrawal,
  WithdrawalList,
  WithdrawalsQuery,
} from "./contract.ts";
import type { SpeedService } from "./fee-service.ts";
import type { ReconcileService } from "./reconcile-service.ts";
import type { ReviewService } from "./review-service.ts";
import { FIELD_OF, REFUSALS, stayingWords, type WithdrawRefusal } from "./rules.ts";
import type { Asker, WithdrawService } from "./service.ts";
import type { WithdrawalRow } from "./store.ts";

export interface WithdrawRouteParts {
  readonly withdrawals: WithdrawService;
  readonly book: BookService;
  readonly review: ReviewService;
  readonly reconcile: ReconcileService;
  readonly audit: Audit;
  readonly proposeRelease: Propose<typeof ReleasePayload>;
  readonly proposeOpen: Propose<typeof OpenPayload>;
  readonly speed: SpeedService;
  readonly askerOf: (context: RouteContext) => Asker;
  /** What of somebody's worth must stay for now. */
  readonly staying: (userId: number) => Promise<Staying>;
}

/** What may look somebody up by name. */
const NAMES_RATE = { callsMax: 60, windowMs: 60_000 } as const;
const reads = { tag: "wallet", scope: { key: "read" } } as const;
const own = { tag: "wallet", scope: "user" } as const;
const leaves = { tag: "wallet", scope: { key: "withdraw" } } as const;
const desk = { tag: "wallet", scope: { operator: "withdrawals.review" } } as const;

function refuseOut({ code, detail }: { readonly code: WithdrawRefusal; readonly detail?: string }) {
  const field = FIELD_OF[code];
  const [status, message] = REFUSALS[code];
  const isRest = detail !== undefined && code === "WITHDRAWALS_REST";
  const told = isRest
    ? `${message} They end at ${detail}.`
    : `${message}${code === "RESTRICTED" ? (detail ?? "") : ""}`;
  if (status === 429) return refuseBy(REFUSALS, { code, detail: detail ?? "60" });
  return refuse({ code, status, message: told, ...(field === undefined ? {} : { fields: { [field]: told } }) });
}

export function withdrawRoutes(parts: WithdrawRouteParts): readonly RouteSpec[] {
  const own = [...lookRoutes(parts.withdrawals), ...outRoutes(parts), ...bookRoutes(parts)];
  return [...own, ...deskRoutes(parts), ...pauseRoutes(parts)];
}

function tellers(withdrawals: WithdrawService, staying: WithdrawRouteParts["staying"]) {
  const tell = (told: Result<WithdrawalRow, WithdrawRefusal>): Outcome<Withdrawal> =>
    told.done ? answer(withdrawals.describe(told.value)) : refuseOut(told);
  return {
    tell,
    /** Kept back is told with how much and until when. */
    async tellOut(userId: number, told: Result<WithdrawalRow, WithdrawRefusal>): Promise<Outcome<Withdrawal>> {
      if (told.done || told.code !== "RESTRICTED") return tell(told);
      return refuseOut({ code: told.code, detail: stayingWords(await staying(userId)) });
    },
  };
}

function outRoutes({ withdrawals, speed, askerOf, staying }: WithdrawRouteParts): readonly RouteSpec[] {
  const { tell, tellOut } = tellers(withdrawals, staying);
  return [
    defineRoute({
      ...reads,
      method: "GET",
      path: WITHDRAW_PATHS.limits,
      summary: "What the caller may withdraw today, what of it must stay and why, how it is proved, and why it rests",
      output: Limits,
      handle: async (_, { userId }) =>
        answer({ ...(await withdrawals.limits(Number(userId))), ...(await staying(Number(userId))) }),
    }),
    defineRoute({
      ...leaves,
      method: "POST",
      path: WITHDRAW_PATHS.apply,
      summary: "Withdraws to an address; the same clientId is the same withdrawal",
      body: ApplyBody,
      output: Withdrawal,
      handle: async ({ body }, context) =>
        tellOut(Number(context.userId), await withdrawals.apply(askerOf(context), body)),
    }),
    defineRoute({
      ...leaves,
      method: "POST",
      path: WITHDRAW_PATHS.cancel,
      summary: "Cancels a withdrawal that is not queued yet; what was frozen is free again",
      body: CancelBody,
      output: Withdrawal,
      handle: async ({ body }, { userId }) => tell(await withdrawals.cancel(Number(userId), body.withdrawalId)),
    }),
    defineRoute({
      ...leaves,
      method: "POST",
      path: WITHDRAW_PATHS.speedUp,
      summary: "Pays the network's fee once more so that a withdrawal that waits for a block is offered more",
      body: CancelBody,
      output: Withdrawal,
      handle: async ({ body }, { userId }) => tell(await speed.speedUp(Number(userId), body.withdrawalId)),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: WITHDRAW_PATHS.list,
      summary: "The caller's withdrawals, newest first",
      query: WithdrawalsQuery,
      output: WithdrawalList,
      handle: async ({ query }, { userId }) => answer(await withdrawals.list(Number(userId), query)),
    }),
    defineRoute({
      ...leaves,
      method: "POST",
      path: WITHDRAW_PATHS.transfer,
      summary: "Sends coins to another user by e-mail, phone or user number, at once and free",
      body: TransferBody,
      output: Withdrawal,
      rate: NAMES_RATE,
      handle: async ({ body }, context) =>
        tellOut(Number(context.userId), await withdrawals.transfer(askerOf(context), body)),
    }),
    defineRoute({
      ...reads,
      method: "GET",
      path: WITHDRAW_PATHS.book,
      summary: "Transfers between the caller and other users, newest first",
      output: WithdrawalList,
      handle: async (_, { userId }) => answer(await withdrawals.book(Number(userId))),
    }),
  ];
}

function lookRoutes(withdrawals: WithdrawService): readonly RouteSpec[] {
  return [
    defineRoute({
      ...reads,
      method: "GET",
      path: WITHDRAW_PATHS.look,
      summary: "What a withdrawal to an address would be: over the network for its fee, or within the exchange, free",
      query: LookQuery,
      output: AddressLook,
      handle: async ({ query }, { userId }) => {
        const told = await withdrawals.look(Number(userId), query);
        return told.done ? answer(told.value) : refuseOut(told);
      },
    }),
  ];
}

function bookRoutes({ book, askerOf }: WithdrawRouteParts): readonly RouteSpec[] {
  const tell = (told: Result<AddressBook, WithdrawRefusal>): Outcome<AddressBook> =>
    told.done ? answer(told.value) : refuseOut(told);
  return [
    defineRoute({
      ...reads,
      method: "GET",
      path: WITHDRAW_PATHS.addresses,
      summary: "The caller's address book",
      output: AddressBook,
      handle: async (_, { userId }) => answer(await book.list(Number(userId))),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: WITHDRAW_PATHS.addAddress,
      summary: "Saves an address or a user of the exchange, proved; it rests a day for programs and the mode",
      body: AddAddressBody,
      output: AddressBook,
      rate: NAMES_RATE,
      handle: async ({ body }, context) => tell(await book.add(askerOf(context), body)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: WITHDRAW_PATHS.deleteAddress,
      summary: "Removes a saved address",
      body: DeleteAddressBody,
      output: AddressBook,
      handle: async ({ body }, { userId }) => tell(await book.remove(Number(userId), body.network, body.address)),
    }),
    defineRoute({
      ...own,
      method: "POST",
      path: WITHDRAW_PATHS.riskControl,
      summary:
        "Allows only saved addresses, which rests them for a day, or all again, which rests withdrawals for a day",
      body: RiskControlBody,
      output: AddressBook,
      handle: async ({ body }, context) => tell(await book.setWhitelist(askerOf(context), body.isWhitelist, body.code)),
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
    defineRoute({
      ...desk,
      method: "GET",
      path: WITHDRAW_PATHS.queue,
      summary: "For operators: withdrawals that wait for a person, paused networks, and gifts of nobody known",
      output: ReviewQueue,
      handle: async () => answer({ ...(await review.queue()), gifts: [...(await reconcile.listGifts())] }),
    }),
    defineRoute({
      ...desk,
      method: "POST",
      path: WITHDRAW_PATHS.decide,
      summary:
        "For operators: releases or refuses a withdrawal; from a worth on the release is proposed to a second person",
      body: DecideBody,
      output: Decided,
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
    defineRoute({
      ...desk,
      method: "POST",
      path: WITHDRAW_PATHS.pause,
      summary: "For operators: stops withdrawals over a network, or proposes to a second person to let them go on",
      body: PauseBody,
      output: Paused,
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
    defineRoute({
      ...desk,
      method: "POST",
      path: WITHDRAW_PATHS.reconcile,
      summary: "For operators: compares the chains with the ledger now",
      body: Type.Object({}),
      output: Reconciliation,
      handle: async () => {
        const told = await reconcile.run();
        if (told !== undefined) return answer(told);
        const message = "Some network does not answer, or the ledger is busy; ask again.";
        return refuse({ code: "RECONCILE_AWAY", status: 503, message, retryAfterSeconds: 5 });
      },
    }),
  ];
}
