// REST of OTC orders, their chat and their pictures: schema → service → envelope.

import { answer, type Outcome, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { present } from "@clockwork/kit/assert";
import { PICTURE_MEDIA_TYPES } from "@clockwork/kit/picture";
import type { Result } from "@clockwork/kit/result";
import type { ChatService } from "./chat-service.ts";
import type { ComplaintService } from "./complaint-service.ts";
import { OTC_ORDER_CALLS as CALLS, FILE_BYTES_MAX, type OtcOrder, type ReleaseBody } from "./contract.ts";
import { type OrderRefusal, REFUSALS } from "./refusals.ts";
import type { OrderService } from "./service.ts";
import type { OrderRow } from "./store.ts";
import type { OrderView } from "./view-service.ts";

/** The proof a seller gives in addition to the session. */
export type ReleaseProof = Omit<ReleaseBody, "orderId">;
export type ProofRefusal = "PROOF_REQUIRED" | "PROOF_WRONG" | "TOO_MANY_TRIES";

export interface OrderRouteParts {
  readonly orders: OrderService;
  readonly view: OrderView;
  readonly chat: ChatService;
  readonly complaints: ComplaintService;
  /** The second factor; a 429 carries the seconds to wait. */
  readonly prove: (context: RouteContext, proof: ReleaseProof) => Promise<Result<null, ProofRefusal>>;
  /** The security version of a call; undefined once its session is over. */
  readonly readVersion: (context: RouteContext) => Promise<number | undefined>;
  readonly seen: (userId: number) => void;
}

const own = { tag: "otc", scope: "user" } as const;
const post = { ...own } as const;
const get = { ...own } as const;

export function respond<Value>(result: Result<Value, OrderRefusal>): Outcome<Value, OrderRefusal> {
  return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
}

export function otcOrderRoutes(parts: OrderRouteParts): readonly RouteSpec[] {
  return [
    ...stepRoutes(parts),
    ...appealRoutes(parts),
    ...readRoutes(parts),
    ...chatRoutes(parts),
    ...fileRoutes(parts),
  ];
}

/** The caller's view of the order after a step. */
async function shown(
  { view, seen }: OrderRouteParts,
  { userId }: RouteContext,
  result: Result<OrderRow, OrderRefusal>,
): Promise<Outcome<OtcOrder, OrderRefusal>> {
  seen(Number(userId));
  return result.done ? respond(await view.read(Number(userId), result.value.order_id)) : respond(result);
}

function stepRoutes(parts: OrderRouteParts): readonly RouteSpec[] {
  const { orders, prove } = parts;
  return [
    serve(CALLS.add, {
      ...post,
      summary: "Takes an ad: the coins go into escrow and the time to pay begins; the same clientId is the same order",
      handle: async ({ body }, context) => shown(parts, context, await orders.place(Number(context.userId), body)),
    }),
    serve(CALLS.pay, {
      ...post,
      summary: "The buyer says that he has paid; no timer cancels the order any more",
      handle: async ({ body }, context) =>
        shown(parts, context, await orders.act(Number(context.userId), body.orderId, "pay")),
    }),
    serve(CALLS.release, {
      ...post,
      summary: "The seller has the money and releases the coins, proved by a second factor",
      handle: async ({ body }, context) => {
        const readVersion = () => parts.readVersion(context);
        const seller = { userId: Number(context.userId), readVersion, prove: () => prove(context, body) };
        const released = await orders.release(seller, body.orderId);
        return released.done ? shown(parts, context, released) : refuseBy(REFUSALS, released);
      },
    }),
    serve(CALLS.cancel, {
      ...post,
      summary: "The buyer calls the order off; once paid only with the word that nothing was paid",
      handle: async ({ body: { orderId, confirmUnpaid = false } }, context) => {
        const extras = { isUnpaid: confirmUnpaid };
        return shown(parts, context, await orders.act(Number(context.userId), orderId, "cancel", extras));
      },
    }),
    serve(CALLS.askCancel, {
      ...post,
      summary: "The seller asks the buyer to call a paid order off",
      handle: async ({ body }, context) =>
        shown(parts, context, await orders.act(Number(context.userId), body.orderId, "askCancel")),
    }),
  ];
}

function appealRoutes(parts: OrderRouteParts): readonly RouteSpec[] {
  const { complaints } = parts;
  return [
    serve(CALLS.appeal, {
      ...post,
      summary: "Either side asks support to decide, ten minutes after the payment or later",
      handle: async ({ body: { orderId, reason, statement } }, context) =>
        shown(parts, context, await complaints.appeal(Number(context.userId), orderId, reason, statement.trim())),
    }),
    serve(CALLS.evidence, {
      ...post,
      summary: "What the caller says about a complaint; within an hour",
      handle: async ({ body: { orderId, statement } }, context) =>
        shown(parts, context, await complaints.say(Number(context.userId), orderId, statement.trim())),
    }),
    serve(CALLS.withdraw, {
      ...post,
      summary: "Whoever opened the appeal withdraws it; the order goes on as paid",
      handle: async ({ body }, context) =>
        shown(parts, context, await complaints.withdraw(Number(context.userId), body.orderId)),
    }),
    serve(CALLS.complaints, {
      ...get,
      summary: "Complaints about the caller's orders",
      handle: async (_, { userId }) => answer(await complaints.list(Number(userId))),
    }),
  ];
}

function readRoutes({ view, seen }: OrderRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.get, {
      ...get,
      summary: "One of the caller's orders with its payment account, log and complaint",
      handle: async ({ query }, { userId }) => {
        seen(Number(userId));
        return respond(await view.read(Number(userId), query.id));
      },
    }),
    serve(CALLS.list, {
      ...get,
      summary: "The caller's orders, newest first",
      handle: async ({ query }, { userId }) => {
        seen(Number(userId));
        return answer(await view.list(Number(userId), query.open === true, query.before));
      },
    }),
    serve(CALLS.receipt, {
      ...get,
      summary: "The receipt of an order as PDF, in base64",
      rate: { callsMax: 30, windowMs: 60_000 },
      handle: async ({ query }, { userId }) => respond(await view.receipt(Number(userId), query.id)),
    }),
  ];
}

function chatRoutes({ chat }: OrderRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.messages, {
      ...get,
      summary: "Messages of an order after one of them",
      handle: async ({ query }, { userId }) => respond(await chat.list(Number(userId), query.id, query.after ?? 0)),
    }),
    serve(CALLS.send, {
      ...post,
      summary: "Writes to the other side of an order",
      rate: { callsMax: 30, windowMs: 60_000 },
      handle: async ({ body }, { userId }) => respond(await chat.send(Number(userId), body.orderId, body.text)),
    }),
    serve(CALLS.read, {
      ...post,
      summary: "The caller has read up to this message",
      handle: async ({ body }, { userId }) => respond(await chat.read(Number(userId), body.orderId, body.messageId)),
    }),
  ];
}

function fileRoutes({ chat }: OrderRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.upload, {
      ...post,
      summary: "Adds a picture to the chat or to the evidence of an order; it is drawn anew",
      file: { bytesMax: FILE_BYTES_MAX, mediaTypes: PICTURE_MEDIA_TYPES },
      rate: { callsMax: 20, windowMs: 600_000 },
      handle: async ({ query, file }, { userId }) => {
        const sent = await chat.upload(Number(userId), query.id, query.use, present(file, "OTC-1", "no file"));
        return sent.done ? answer({ fileId: sent.value }) : respond(sent);
      },
    }),
    serve(CALLS.file, {
      ...get,
      summary: "A picture of one of the caller's orders in base64, small as a chat shows it or whole",
      handle: async ({ query }, { userId }) => respond(await chat.file(Number(userId), query.id, query.size)),
    }),
  ];
}
