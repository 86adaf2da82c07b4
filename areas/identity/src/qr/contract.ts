// The wire contract of signing in by QR code. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Id = Type.String({ minLength: 16, maxLength: 64, pattern: "^[A-Za-z0-9_-]+$" });
export const QrShown = Type.Object({
  id: Type.String(),
  secret: Type.String(),
  /** The content of the QR code. */
  content: Type.String(),
  expiresAtMs: Type.Integer(),
});
export const QrStatus = Type.Object({
  state: Type.Enum(["NEW", "SCANNED", "CONFIRMED", "REJECTED", "EXPIRED"]),
  id: Type.Optional(Type.String()),
});

export const QR_CALLS = {
  create: endpoint("POST", "/v2/users/qr-login/create", { body: Type.Object({}), output: QrShown }),
  status: endpoint("POST", "/v2/users/qr-login/status", {
    body: Type.Object({ id: Id, secret: Id, staySignedIn: Type.Optional(Type.Boolean()) }),
    output: QrStatus,
    refusals: REFUSALS,
  }),
  scan: endpoint("POST", "/v2/users/qr-login/scan", {
    body: Type.Object({ id: Id }),
    output: Type.Object({ deviceName: Type.String(), address: Type.String() }),
    refusals: REFUSALS,
  }),
  confirm: endpoint("POST", "/v2/users/qr-login/confirm", {
    body: Type.Object({ id: Id, accept: Type.Boolean() }),
    output: Type.Null(),
    refusals: REFUSALS,
  }),
};
