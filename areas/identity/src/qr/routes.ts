// REST of signing in by picture: schema → service → envelope.
import {
  answer,
  answerSession,
  callerOf,
  defineRoute,
  type RouteContext,
  type RouteSpec,
  refuse,
} from "@clockwork/host/route";
import { Type } from "typebox";
import type { Client } from "./needs.ts";
import type { QrRefusal, QrService } from "./service.ts";

const Id = Type.String({ minLength: 16, maxLength: 64, pattern: "^[A-Za-z0-9_-]+$" });
const QrShown = Type.Object({
  id: Type.String(),
  secret: Type.String(),
  /** What the picture says. */
  content: Type.String(),
  expiresAtMs: Type.Integer(),
});
const QrStatus = Type.Object({
  state: Type.Enum(["NEW", "SCANNED", "CONFIRMED", "REJECTED", "EXPIRED"]),
  id: Type.Optional(Type.String()),
});

const REFUSALS: Readonly<Record<QrRefusal, readonly [status: number, message: string]>> = {
  QR_UNKNOWN: [404, "This picture is unknown, used or too old; show a new one."],
  ACCOUNT_FROZEN: [403, "This account is frozen; release it first."],
  UNAUTHENTICATED: [401, "Sign in first."],
};

function refuseQr({ code }: { code: QrRefusal }) {
  const [status, message] = REFUSALS[code];
  return refuse({ code, status, message });
}

export interface QrRouteParts {
  readonly qr: QrService;
  readonly readClient: (context: RouteContext) => Client;
}

const PATH = "/v2/users/qr-login";

export function qrRoutes(parts: QrRouteParts): readonly RouteSpec[] {
  return [...showingRoutes(parts), ...scanningRoutes(parts)];
}

function showingRoutes({ qr, readClient }: QrRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: `${PATH}/create`,
      summary: "A picture to sign in with from another device",
      tag: "sessions",
      body: Type.Object({}),
      output: QrShown,
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async (_, context) => {
        const shown = await qr.show(readClient(context), context.timeMs);
        return answer({ ...shown, content: `clockwork-login:${shown.id}` });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/status`,
      summary: "What became of the picture; once confirmed, signs this browser in",
      tag: "sessions",
      body: Type.Object({ id: Id, secret: Id, staySignedIn: Type.Optional(Type.Boolean()) }),
      output: QrStatus,
      handle: async ({ body }, context) => {
        const { id, secret, staySignedIn } = body;
        const status = await qr.readStatus(id, secret, readClient(context), staySignedIn === true, context.timeMs);
        if (!status.done) return refuseQr(status);
        const { state, userId, tokens } = status.value;
        if (tokens === undefined) return answer({ state });
        return answerSession({ state, id: String(userId) }, tokens);
      },
    }),
  ];
}

function scanningRoutes({ qr }: QrRouteParts): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: `${PATH}/scan`,
      summary: "A signed-in device has read the picture; answers which browser asks",
      tag: "sessions",
      scope: "user",
      body: Type.Object({ id: Id }),
      output: Type.Object({ deviceName: Type.String(), address: Type.String() }),
      handle: async ({ body }, { userId, timeMs }) => {
        const scanned = await qr.scan(Number(userId), body.id, timeMs);
        if (!scanned.done) return refuseQr(scanned);
        return answer({ deviceName: scanned.value.device_name, address: scanned.value.address });
      },
    }),
    defineRoute({
      method: "POST",
      path: `${PATH}/confirm`,
      summary: "Lets the other browser in, or not",
      tag: "sessions",
      scope: "user",
      body: Type.Object({ id: Id, accept: Type.Boolean() }),
      output: Type.Null(),
      handle: async ({ body }, context) => {
        const decided = await qr.decide(callerOf(context), body.id, body.accept, context.timeMs);
        return decided.done ? answer(null) : refuseQr(decided);
      },
    }),
  ];
}
