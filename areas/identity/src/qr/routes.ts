// REST of signing in by QR code: schema → service → envelope.
import {
  answer,
  answerSession,
  callerOf,
  type RouteContext,
  type RouteSpec,
  refuseBy,
  serve,
} from "@clockwork/host/route";
import type { Client } from "../sessions/service.ts";
import { QR_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { QrService } from "./service.ts";

export interface QrRouteParts {
  readonly qr: QrService;
  readonly readClient: (context: RouteContext) => Client;
  /** Where the site is seen from outside. */
  readonly originOf: (context: RouteContext) => string;
}

export function qrRoutes(parts: QrRouteParts): readonly RouteSpec[] {
  return [...showingRoutes(parts), ...scanningRoutes(parts)];
}

/** Where a phone's camera leads: the page that reads the code and asks its owner. */
const SCAN_PATH = "/operation-cw/scan-login";

function showingRoutes({ qr, readClient, originOf }: QrRouteParts): readonly RouteSpec[] {
  return [
    serve(QR_CALLS.create, {
      summary: "A picture to sign in with from another device",
      tag: "sessions",
      rate: { callsMax: 60, windowMs: 60_000 },
      handle: async (_, context) => {
        const shown = await qr.show(readClient(context), context.timeMs);
        return answer({ ...shown, content: `${originOf(context)}${SCAN_PATH}?code=${shown.id}` });
      },
    }),
    serve(QR_CALLS.status, {
      summary: "What became of the picture; once confirmed, signs this browser in",
      tag: "sessions",
      handle: async ({ body }, context) => {
        const { id, secret, staySignedIn } = body;
        const status = await qr.readStatus(id, secret, readClient(context), staySignedIn === true, context.timeMs);
        if (!status.done) return refuseBy(REFUSALS, status);
        const { state, userId, tokens } = status.value;
        if (tokens === undefined) return answer({ state });
        return answerSession({ state, id: String(userId) }, tokens);
      },
    }),
  ];
}

function scanningRoutes({ qr }: QrRouteParts): readonly RouteSpec[] {
  return [
    serve(QR_CALLS.scan, {
      summary: "A signed-in device has read the picture; answers which browser asks",
      tag: "sessions",
      scope: "user",
      handle: async ({ body }, { userId, timeMs }) => {
        const scanned = await qr.scan(Number(userId), body.id, timeMs);
        if (!scanned.done) return refuseBy(REFUSALS, scanned);
        return answer({ deviceName: scanned.value.device_name, address: scanned.value.address });
      },
    }),
    serve(QR_CALLS.confirm, {
      summary: "Lets the other browser in, or not",
      tag: "sessions",
      scope: "user",
      handle: async ({ body }, context) => {
        const decided = await qr.decide(callerOf(context), body.id, body.accept, context.timeMs);
        return decided.done ? answer(null) : refuseBy(REFUSALS, decided);
      },
    }),
  ];
}
