// REST of the console for complaints: schema → service → envelope. Every access to a picture and every decision is
// logged first.
import type { Audit } from "@clockwork/host/audit";
import type { Propose } from "@clockwork/host/proposal";
import type { GuardCode } from "@clockwork/host/refusal";
import {
  answer,
  type Outcome,
  type RouteContext,
  type RouteRejection,
  type RouteSpec,
  refuse,
  serve,
} from "@clockwork/host/route";
import type { ComplaintService } from "./complaint-service.ts";
import { OTC_ORDER_CALLS as CALLS, type Decided, type DecisionPayload } from "./contract.ts";
import type { OrderRefusal } from "./refusals.ts";
import { respond } from "./routes.ts";

export interface DeskRouteParts {
  readonly complaints: ComplaintService;
  readonly audit: Audit;
  readonly propose: Propose<typeof DecisionPayload, never>;
  /** Undefined when the operator has a recent proof; the decision moves money. */
  readonly prove: (context: RouteContext) => Promise<RouteRejection<GuardCode> | undefined>;
}

const desk = { tag: "otc", scope: { operator: "otc.complaints" } } as const;

export function otcDeskRoutes({ complaints, audit, propose, prove }: DeskRouteParts): readonly RouteSpec[] {
  return [
    serve(CALLS.desk, {
      ...desk,
      summary: "Complaints that wait for a decision, oldest first",
      handle: async ({ query }) => answer(await complaints.queue(query.after)),
    }),
    serve(CALLS.deskGet, {
      ...desk,
      summary: "A complaint with both sides, the log and the chat",
      handle: async ({ query }, context) => {
        await audit.record(context, "otc.complaint.read", String(query.id), "");
        return respond(await complaints.desk(query.id, Number(context.userId)));
      },
    }),
    serve(CALLS.deskFile, {
      ...desk,
      summary: "A picture of a complaint, in base64",
      handle: async ({ query }, context) => {
        await audit.record(context, "otc.file.read", query.id, "");
        return respond(await complaints.deskFile(Number(context.userId), query.id, query.size));
      },
    }),
    serve(CALLS.deskSay, {
      ...desk,
      summary: "Writes to both sides of a complaint",
      handle: async ({ body }, context) => {
        await audit.record(context, "otc.complaint.said", String(body.complaintId), body.text);
        return respond(await complaints.writeAsSupport(body.complaintId, Number(context.userId), body.text));
      },
    }),
    decideRoute({ complaints, audit, propose, prove }),
  ];
}

function decideRoute({ complaints, audit, propose, prove }: DeskRouteParts): RouteSpec {
  return serve(CALLS.deskDecide, {
    ...desk,
    summary:
      "Decides a complaint once, however often asked with the same clientId; with an order or a compensation over 1 000 USDT it is proposed to a second person",
    handle: async ({ body: { clientId, ...decision } }, context) => {
      const decisionId = `${context.userId}:${clientId}`;
      const isRepeat = await complaints.isDecidedBy(decision.complaintId, decisionId);
      if (isRepeat) return decidedNow(await complaints.decide(decision, decisionId));
      const checked = await complaints.check(decision, { operatorId: Number(context.userId) });
      if (!checked.done) return respond(checked);
      const { order_id: orderId, buyer_id, seller_id } = checked.value;
      if (complaints.needsTwo(checked.value, decision.compensationUsdt)) {
        const made = await propose(context, { ...decision, orderId, users: `${buyer_id},${seller_id}` }, clientId);
        return made.ok ? answer({ isDecided: false, proposalId: made.data.proposalId }) : made;
      }
      const unproved = await prove(context);
      if (unproved !== undefined) return refuse(unproved);
      const detail = `${decision.winner}, ${decision.compensationUsdt} USDT: ${decision.reason}`;
      await audit.record(context, "otc.complaint.decided", String(decision.complaintId), detail);
      return decidedNow(await complaints.decide(decision, decisionId));
    },
  });
}

const decidedNow = (decided: Awaited<ReturnType<ComplaintService["decide"]>>): Outcome<Decided, OrderRefusal> =>
  decided.done ? answer({ isDecided: true, proposalId: null }) : respond(decided);
