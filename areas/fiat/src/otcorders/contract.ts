// The wire contract of OTC orders, their chat and complaints. The only file of the slice a browser may import.

import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { PAYMENT_KINDS } from "@clockwork/kit/otc/fiat";
import { OTC_STATES } from "@clockwork/kit/otc/order-machine";
import { PAGE_MARK } from "@clockwork/kit/otc/page-mark";
import { PROPOSAL_REFUSALS } from "@clockwork/kit/proposal-state";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

/** Private: an event of one of the reader's orders, or a new message in it. */
export const OTC_ORDERS_CHANNEL = "otcOrders";

export const FILE_BYTES_MAX = 5 * 1024 * 1024;
export const MESSAGE_LENGTH_MAX = 1_000;

const OrderId = Type.String({ pattern: "^[0-9]{14}$", maxLength: 14 });
const DecimalInput = Type.String({ pattern: "^(0|[1-9][0-9]{0,14})(\\.[0-9]{1,8})?$", maxLength: 24 });
const HexId = Type.String({ pattern: "^[0-9a-f]{16}$", maxLength: 16 });
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });
const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "\\S" });
const body = <T extends Parameters<typeof Type.Object>[0]>(shape: T) =>
  Type.Object(shape, { additionalProperties: false });

export const AddOrderBody = body({
  adId: Type.String({ pattern: "^[1-9][0-9]{0,14}$", maxLength: 15 }),
  /** One of them: money, or coins. */
  amount: Type.Optional(DecimalInput),
  quantity: Type.Optional(DecimalInput),
  /** The seller's account: one of the ad's, or one of the caller's own when the caller sells. */
  paymentId: HexId,
  /** A price held by a match. */
  matchId: Type.Optional(HexId),
  /** The price shown to the caller; a worse one is refused. */
  price: Type.Optional(DecimalInput),
  clientId: ClientId,
});
export type AddOrderBody = Static<typeof AddOrderBody>;
export const OrderIdBody = body({ orderId: OrderId });
const Bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+$" });
/** One of three: the authenticator's code; a passkey; the fund password with a code that was sent. */
export const ReleaseBody = body({
  orderId: OrderId,
  code: Type.Optional(Type.String({ pattern: "^[0-9]{6}$", maxLength: 6 })),
  tradePassword: Type.Optional(Type.String({ minLength: 8, maxLength: 32 })),
  /** The signature of an authenticator device, as the browser returns it. */
  passkey: Type.Optional(
    Type.Object({
      id: Bytes(1400),
      rawId: Bytes(1400),
      type: Type.Literal("public-key"),
      authenticatorAttachment: Type.Optional(Type.Enum(["platform", "cross-platform"])),
      clientExtensionResults: Type.Object({}, { additionalProperties: true }),
      response: Type.Object({
        clientDataJSON: Bytes(4096),
        authenticatorData: Bytes(8192),
        signature: Bytes(2048),
        userHandle: Type.Optional(Bytes(128)),
      }),
    }),
  ),
});
export type ReleaseBody = Static<typeof ReleaseBody>;
/** A paid order is cancelled by a user who confirms that nothing was paid, or that it was returned. */
export const CancelBody = body({ orderId: OrderId, confirmUnpaid: Type.Optional(Type.Boolean()) });
export const APPEAL_REASONS = ["not-released", "not-received", "wrong-amount", "wrong-name", "other"] as const;
export const AppealBody = body({
  orderId: OrderId,
  reason: Type.Enum([...APPEAL_REASONS]),
  statement: Line(1_000),
});
export const EvidenceBody = body({ orderId: OrderId, statement: Line(1_000) });
export const OrderQuery = Type.Object({ id: OrderId });
export const OrdersQuery = Type.Object({
  open: Type.Optional(Type.Boolean()),
  before: Type.Optional(Type.String(PAGE_MARK)),
});

const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const LogLine = Type.Object({
  atMs: Type.Integer(),
  actor: Type.String(),
  action: Type.String(),
  detail: Type.String(),
});
const Complaint = Type.Object({
  complaintId: Type.Integer(),
  by: Type.Enum(["buyer", "seller"]),
  reason: Type.String(),
  buyerSays: Type.String(),
  sellerSays: Type.String(),
  state: Type.Enum(["OPEN", "WITHDRAWN", "DECIDED"]),
  openedAtMs: Type.Integer(),
  evidenceByMs: Type.Integer(),
  /** Not before both sides have made a statement or had their time. */
  decidableFromMs: Type.Integer(),
  decideByMs: Type.Integer(),
  winner: Type.String(),
  fault: Type.String(),
  compensationUsdt: Type.String(),
  decision: Type.String(),
  files: Type.Array(Type.Object({ fileId: Type.String(), by: Type.Enum(["buyer", "seller"]), atMs: Type.Integer() })),
});
export type Complaint = Static<typeof Complaint>;

export const OtcOrder = Type.Object({
  orderId: Type.String(),
  adId: Type.String(),
  /** The caller's side. */
  side: Type.Enum(["buy", "sell"]),
  isMaker: Type.Boolean(),
  state: Type.Enum([...OTC_STATES]),
  asset: Type.String(),
  fiat: Type.String(),
  price: Type.String(),
  quantity: Type.String(),
  amount: Type.String(),
  /** In the coin; paid only by the advertiser. */
  fee: Type.String(),
  /** The amount that arrives in the buyer's account, or leaves the seller's. */
  net: Type.String(),
  counterpart: Type.Object({
    user: Type.String(),
    name: Type.String(),
    isSimulated: Type.Boolean(),
    orders: Type.Integer(),
    completion: OrNull(Type.String()),
    releaseMinutes: OrNull(Type.Integer()),
  }),
  payment: Type.Object({
    kind: Type.Enum([...PAYMENT_KINDS]),
    name: Type.String(),
    fields: Type.Array(Type.Object({ label: Type.String(), value: Type.String() })),
  }),
  /**
   * The buyer's name by the identity: a transfer from another name does not count. Null while the identity has no name.
   */
  payerName: OrNull(Type.String()),
  /** The payment reference of the transfer. */
  reference: Type.String(),
  createdAtMs: Type.Integer(),
  payByMs: Type.Integer(),
  paidAtMs: OrNull(Type.Integer()),
  endedAtMs: OrNull(Type.Integer()),
  endBy: Type.String(),
  isCancelAsked: Type.Boolean(),
  /** From then on either side may appeal; null before it is paid. */
  appealFromMs: OrNull(Type.Integer()),
  complaint: OrNull(Complaint),
  log: Type.Array(LogLine),
  unread: Type.Integer(),
  nowMs: Type.Integer(),
});
export type OtcOrder = Static<typeof OtcOrder>;

const OrderRowShape = Type.Pick(OtcOrder, [
  "orderId",
  "side",
  "state",
  "asset",
  "fiat",
  "price",
  "quantity",
  "amount",
  "createdAtMs",
  "payByMs",
  "unread",
]);
export const OrderPage = Type.Object({
  orders: Type.Array(Type.Object({ ...OrderRowShape.properties, counterpart: Type.String() })),
  /** Passed as cursor, the next page starts where this one ends. */
  nextBefore: OrNull(Type.String()),
});
export type OrderPage = Static<typeof OrderPage>;

export const Receipt = Type.Object({ name: Type.String(), mediaType: Type.String(), data: Type.String() });
export type Receipt = Static<typeof Receipt>;

export const MessageQuery = Type.Object({
  id: OrderId,
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});
export const SendBody = body({ orderId: OrderId, text: Line(MESSAGE_LENGTH_MAX) });
export const ReadBody = body({
  orderId: OrderId,
  messageId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});
export const ChatMessage = Type.Object({
  id: Type.Integer(),
  /** The author, relative to the reader; `system` texts are codes. */
  author: Type.Enum(["me", "other", "buyer", "seller", "support", "system"]),
  kind: Type.Enum(["text", "picture", "system"]),
  /** Of a picture: the id of its file. */
  text: Type.String(),
  createdAtMs: Type.Integer(),
});
export type ChatMessage = Static<typeof ChatMessage>;
export const Chat = Type.Object({
  messages: Type.Array(ChatMessage),
  /** The last message the other side has read. */
  readByOther: Type.Integer(),
});
export type Chat = Static<typeof Chat>;

export const UploadQuery = Type.Object({ id: OrderId, use: Type.Enum(["chat", "evidence"]) });
export const Uploaded = Type.Object({ fileId: Type.String() });
export const FILE_SIZES = ["small", "full"] as const;
export type FileSize = (typeof FILE_SIZES)[number];
/** Small is as a chat shows it; the whole picture by default. */
export const FileQuery = Type.Object({ id: HexId, size: Type.Optional(Type.Enum([...FILE_SIZES])) });
export const FileData = Type.Object({ mediaType: Type.String(), data: Type.String() });
export type FileData = Static<typeof FileData>;

export const ComplaintList = Type.Object({
  complaints: Type.Array(
    Type.Object({
      ...Complaint.properties,
      orderId: Type.String(),
      asset: Type.String(),
      fiat: Type.String(),
      quantity: Type.String(),
      amount: Type.String(),
    }),
  ),
  /** In the console: passed as cursor, the next page starts where this one ends. */
  nextAfter: OrNull(Type.String()),
});
export const DeskListQuery = Type.Object({
  after: Type.Optional(Type.String({ pattern: "^[1-9][0-9]{0,14}\\.[1-9][0-9]{0,14}$", maxLength: 32 })),
});
export type ComplaintList = Static<typeof ComplaintList>;

const Side = Type.Object({
  user: Type.String(),
  name: Type.String(),
  /** By the identity. */
  legalName: OrNull(Type.String()),
  level: Type.Integer(),
  orders: Type.Integer(),
  completion: OrNull(Type.String()),
  accountDays: Type.Integer(),
  bondUsdt: OrNull(Type.String()),
});
export const DeskCase = Type.Object({
  complaint: Complaint,
  /** Both sides have made a statement, or have had their time for evidence. */
  isDecidable: Type.Boolean(),
  orderId: Type.String(),
  orderState: Type.String(),
  asset: Type.String(),
  fiat: Type.String(),
  price: Type.String(),
  quantity: Type.String(),
  amount: Type.String(),
  worthUsdt: Type.String(),
  payment: Type.String(),
  buyer: Side,
  seller: Side,
  log: Type.Array(LogLine),
  messages: Type.Array(ChatMessage),
  needsTwo: Type.Boolean(),
  /** Who wins unless the other side makes a statement; empty while both or neither have. */
  byDefault: Type.String(),
});
export type DeskCase = Static<typeof DeskCase>;
export const DeskQuery = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });
export const SayBody = body({ complaintId: DeskQuery.properties.id, text: Line(MESSAGE_LENGTH_MAX) });
const decision = {
  complaintId: DeskQuery.properties.id,
  winner: Type.Enum(["buyer", "seller"]),
  fault: Type.Enum(["buyer", "seller", "none"]),
  /** From the losing side's bond, if they are a merchant. */
  compensationUsdt: DecimalInput,
  reason: Line(500),
};
export const DecisionPayload = Type.Object({ ...decision, orderId: OrderId, users: Type.String({ maxLength: 40 }) });
export type DecisionPayload = Static<typeof DecisionPayload>;
export const DecideBody = body({ ...decision, clientId: ClientId });
export const Decided = Type.Object({ isDecided: Type.Boolean(), proposalId: OrNull(Type.String()) });
export type Decided = Static<typeof Decided>;

export const OTC_ORDER_CALLS = {
  add: endpoint("POST", "/v2/otc/orders/add", { body: AddOrderBody, output: OtcOrder, refusals: REFUSALS }),
  pay: endpoint("POST", "/v2/otc/orders/pay", { body: OrderIdBody, output: OtcOrder, refusals: REFUSALS }),
  release: endpoint("POST", "/v2/otc/orders/release", { body: ReleaseBody, output: OtcOrder, refusals: REFUSALS }),
  cancel: endpoint("POST", "/v2/otc/orders/cancel", { body: CancelBody, output: OtcOrder, refusals: REFUSALS }),
  askCancel: endpoint("POST", "/v2/otc/orders/ask-cancel", { body: OrderIdBody, output: OtcOrder, refusals: REFUSALS }),
  appeal: endpoint("POST", "/v2/otc/orders/appeal", { body: AppealBody, output: OtcOrder, refusals: REFUSALS }),
  get: endpoint("GET", "/v2/otc/orders/get", { query: OrderQuery, output: OtcOrder, refusals: REFUSALS }),
  list: endpoint("GET", "/v2/otc/orders/list", { query: OrdersQuery, output: OrderPage }),
  receipt: endpoint("GET", "/v2/otc/orders/receipt", { query: OrderQuery, output: Receipt, refusals: REFUSALS }),
  messages: endpoint("GET", "/v2/otc/chat/list", { query: MessageQuery, output: Chat, refusals: REFUSALS }),
  send: endpoint("POST", "/v2/otc/chat/send", { body: SendBody, output: ChatMessage, refusals: REFUSALS }),
  read: endpoint("POST", "/v2/otc/chat/read", { body: ReadBody, output: Type.Null(), refusals: REFUSALS }),
  upload: endpoint("POST", "/v2/otc/upload", { query: UploadQuery, output: Uploaded, refusals: REFUSALS }),
  file: endpoint("GET", "/v2/otc/file", { query: FileQuery, output: FileData, refusals: REFUSALS }),
  complaints: endpoint("GET", "/v2/otc/complaints/list", { output: ComplaintList }),
  evidence: endpoint("POST", "/v2/otc/complaints/evidence", {
    body: EvidenceBody,
    output: OtcOrder,
    refusals: REFUSALS,
  }),
  withdraw: endpoint("POST", "/v2/otc/complaints/withdraw", {
    body: OrderIdBody,
    output: OtcOrder,
    refusals: REFUSALS,
  }),
  desk: endpoint("GET", "/v2/otc/complaints/desk", { query: DeskListQuery, output: ComplaintList }),
  deskGet: endpoint("GET", "/v2/otc/complaints/desk/get", { query: DeskQuery, output: DeskCase, refusals: REFUSALS }),
  deskFile: endpoint("GET", "/v2/otc/complaints/desk/file", { query: FileQuery, output: FileData, refusals: REFUSALS }),
  deskSay: endpoint("POST", "/v2/otc/complaints/desk/say", { body: SayBody, output: Type.Null(), refusals: REFUSALS }),
  deskDecide: endpoint("POST", "/v2/otc/complaints/desk/decide", {
    body: DecideBody,
    output: Decided,
    refusals: { ...PROPOSAL_REFUSALS, ...REFUSALS },
  }),
};
