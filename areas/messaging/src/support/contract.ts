// The wire contract of the support forms, the support chat and the console. The only file of the slice a browser may
// import.
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { type Static, Type } from "typebox";
import { CHAT_REFUSALS, TICKET_DESK_REFUSALS, TICKET_REFUSALS } from "./refusals.ts";

/** The kinds a form may open. */
export const FORM_KINDS = ["complaint", "contact", "institutional", "whistleblower"] as const;
export type FormKind = (typeof FORM_KINDS)[number];
export const TICKET_KINDS = [...FORM_KINDS, "chat"] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];

export const NAME_LENGTH_MAX = 100;
export const MESSAGE_LENGTH_MAX = 5_000;
export const ATTACHMENTS_MAX = 3;
export const ATTACHMENT_BYTES_MAX = 3 * 1024 * 1024;
/** For a picture, which is the whole body: its ticket, and its URL-encoded name. */
export const TICKET_HEADERS = { number: "x-ticket-number", key: "x-ticket-key", name: "x-file-name" } as const;

export const TicketBody = Type.Object(
  {
    kind: Type.Enum([...FORM_KINDS]),
    topic: Type.Optional(Type.String({ maxLength: 40, pattern: "^[a-z][a-z-]*$" })),
    /** Both may be omitted only in a whistleblower's report. */
    name: Type.Optional(Type.String({ maxLength: NAME_LENGTH_MAX })),
    email: Type.Optional(Type.String({ maxLength: 254 })),
    message: Type.String({ minLength: 1, maxLength: MESSAGE_LENGTH_MAX }),
    /** A hidden field that people leave empty. */
    website: Type.Optional(Type.String({ maxLength: 200 })),
    captcha: Type.Optional(
      Type.Record(Type.String({ pattern: "^[a-z_A-Z]{1,32}$" }), Type.String({ maxLength: 2048 }), {
        maxProperties: 8,
      }),
    ),
  },
  { additionalProperties: false },
);
export type TicketBody = Static<typeof TicketBody>;

export const OpenedTicket = Type.Object({ number: Type.String(), key: Type.String() });
export type OpenedTicket = Static<typeof OpenedTicket>;

const TicketNumber = Type.String({ pattern: "^CW-[0-9A-Z]{4}-[0-9A-Z]{4}$", maxLength: 12 });
const TicketKey = Type.String({ pattern: "^[0-9a-z]{4}(?:-[0-9a-z]{4}){3}$", maxLength: 19 });
/** Number and key travel in the body: addresses end up in histories and logs. */
export const TicketLookup = Type.Object({ number: TicketNumber, key: TicketKey }, { additionalProperties: false });
export const TicketReply = Type.Object(
  {
    number: TicketNumber,
    key: TicketKey,
    message: Type.String({ minLength: 1, maxLength: MESSAGE_LENGTH_MAX }),
  },
  { additionalProperties: false },
);

/** simulated: the agent of the default run. */
export const AUTHORS = ["visitor", "staff", "simulated"] as const;
export type Author = (typeof AUTHORS)[number];

export const Ticket = Type.Object({
  number: Type.String(),
  kind: Type.Enum([...TICKET_KINDS]),
  topic: Type.String(),
  /** received, in-progress, answered, closed. */
  state: Type.String(),
  createdAtMs: Type.Integer(),
  updatedAtMs: Type.Integer(),
  attachments: Type.Array(Type.String()),
  messages: Type.Array(
    Type.Object({ author: Type.Enum([...AUTHORS]), text: Type.String(), createdAtMs: Type.Integer() }),
  ),
});
export type Ticket = Static<typeof Ticket>;

export const TICKET_STATES = ["received", "in-progress", "answered", "closed"] as const;
export type TicketState = (typeof TICKET_STATES)[number];
/** The states a ticket may have after an answer. */
export const ANSWER_STATES = ["in-progress", "answered", "closed"] as const;

export const TicketsQuery = Type.Object({
  state: Type.Optional(Type.Enum([...TICKET_STATES])),
  /** The `next` of the page before. */
  before: Type.Optional(Type.String({ pattern: "^[01]\\.[0-9]{1,16}\\.CW-[0-9A-Z]{4}-[0-9A-Z]{4}$", maxLength: 34 })),
});

/** A ticket in the account it was written from: opened without its key. */
export const OwnTicketQuery = Type.Object({ number: TicketNumber });
export const OwnTicketReply = Type.Object(
  { number: TicketNumber, message: Type.String({ minLength: 1, maxLength: MESSAGE_LENGTH_MAX }) },
  { additionalProperties: false },
);
export const OWN_TICKETS_MAX = 50;
/** The newest first. */
export const OwnTickets = Type.Object({
  tickets: Type.Array(
    Type.Object({
      number: Type.String(),
      kind: Type.Enum([...FORM_KINDS]),
      topic: Type.String(),
      state: Type.String(),
      createdAtMs: Type.Integer(),
      updatedAtMs: Type.Integer(),
    }),
  ),
});
export type OwnTickets = Static<typeof OwnTickets>;

const TicketRow = Type.Object({
  number: Type.String(),
  kind: Type.Enum([...TICKET_KINDS]),
  topic: Type.String(),
  state: Type.String(),
  /** Both empty for an anonymous report. */
  name: Type.String(),
  email: Type.String(),
  /** The writer's VIP level when it was opened. */
  level: Type.Integer(),
  createdAtMs: Type.Integer(),
  updatedAtMs: Type.Integer(),
});

export const TicketTable = Type.Object({
  tickets: Type.Array(TicketRow),
  /** The cursor of the next page; null at the end. */
  next: Type.Union([Type.String(), Type.Null()]),
});
export type TicketTable = Static<typeof TicketTable>;

export const ConsoleTicketQuery = Type.Object({ number: TicketNumber });
export const ConsoleTicket = Type.Object({
  ...TicketRow.properties,
  /** The account it was written from, where there is one. */
  user: Type.Union([Type.String(), Type.Null()]),
  messages: Ticket.properties.messages,
  files: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
});
export type ConsoleTicket = Static<typeof ConsoleTicket>;

export const ConsoleFileQuery = Type.Object({
  number: TicketNumber,
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});
/** A picture of a ticket in base64, re-encoded. */
export const ConsoleFile = Type.Object({ mediaType: Type.String(), data: Type.String() });
export type ConsoleFile = Static<typeof ConsoleFile>;

export const AnswerBody = Type.Object(
  {
    number: TicketNumber,
    message: Type.String({ minLength: 1, maxLength: MESSAGE_LENGTH_MAX }),
    state: Type.Enum([...ANSWER_STATES]),
  },
  { additionalProperties: false },
);

/** Private: the reader's number of unread messages from support, and the newest message. */
export const SUPPORT_CHAT_CHANNEL = "supportChat";
/** Private to operators who answer: the number of the ticket with a new message. */
export const SUPPORT_DESK_CHANNEL = "supportDesk";

export const CHAT_TEXT_LENGTH_MAX = 2_000;
export const CHAT_FILE_NAME = "x-file-name";

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const ClientId = Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX });

export const ChatQuery = Type.Object({
  /** Messages after this one; without it the newest. */
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  /** Messages before this one. */
  before: Type.Optional(Id),
});
export const ChatBody = Type.Object(
  { text: Type.String({ minLength: 1, maxLength: CHAT_TEXT_LENGTH_MAX, pattern: "\\S" }), clientId: ClientId },
  { additionalProperties: false },
);
export const ChatReadBody = Type.Object({ id: Id }, { additionalProperties: false });
export const ChatPictureQuery = Type.Object({ clientId: ClientId });
export const ChatFileQuery = Type.Object({ id: Id });

export const ChatMessage = Type.Object({
  id: Type.Integer(),
  /** visitor is the account's owner. */
  author: Type.Enum([...AUTHORS]),
  text: Type.String(),
  /** The attached picture; its name is the text. */
  fileId: Type.Union([Type.Integer(), Type.Null()]),
  createdAtMs: Type.Integer(),
});
export type ChatMessage = Static<typeof ChatMessage>;

export const ChatState = Type.Object({
  /** Messages from support after the last one that was read. */
  unread: Type.Integer(),
  lastId: Type.Integer(),
  /** How far the account's owner has read. */
  readId: Type.Integer(),
});
export type ChatState = Static<typeof ChatState>;

export const Chat = Type.Object({
  ...ChatState.properties,
  /** In their order. */
  messages: Type.Array(ChatMessage),
  /** Of the latest conversation; null before the first. */
  state: Type.Union([Type.String(), Type.Null()]),
  /** Whether there are earlier messages. */
  hasMore: Type.Boolean(),
});
export type Chat = Static<typeof Chat>;

export const CHAT_CALLS = {
  read: endpoint("GET", "/v1/support/chat", { query: ChatQuery, output: Chat }),
  write: endpoint("POST", "/v1/support/chat", { body: ChatBody, output: ChatMessage, refusals: CHAT_REFUSALS }),
  picture: endpoint("POST", "/v1/support/chat/picture", {
    query: ChatPictureQuery,
    output: ChatMessage,
    refusals: CHAT_REFUSALS,
  }),
  markRead: endpoint("POST", "/v1/support/chat/read", { body: ChatReadBody, output: Type.Null() }),
  file: endpoint("GET", "/v1/support/chat/file", {
    query: ChatFileQuery,
    output: ConsoleFile,
    refusals: CHAT_REFUSALS,
  }),
};

export const TICKET_CALLS = {
  listOwn: endpoint("GET", "/v1/support/tickets/own", { output: OwnTickets }),
  readOwn: endpoint("GET", "/v1/support/tickets/own/one", {
    query: OwnTicketQuery,
    output: Ticket,
    refusals: TICKET_REFUSALS,
  }),
  replyOwn: endpoint("POST", "/v1/support/tickets/own/reply", {
    body: OwnTicketReply,
    output: Ticket,
    refusals: TICKET_REFUSALS,
  }),
  open: endpoint("POST", "/v1/support/tickets", { body: TicketBody, output: OpenedTicket, refusals: TICKET_REFUSALS }),
  read: endpoint("POST", "/v1/support/ticket", { body: TicketLookup, output: Ticket, refusals: TICKET_REFUSALS }),
  picture: endpoint("POST", "/v1/support/ticket/picture", { output: Type.Null(), refusals: TICKET_REFUSALS }),
  reply: endpoint("POST", "/v1/support/ticket/reply", { body: TicketReply, output: Ticket, refusals: TICKET_REFUSALS }),
};

export const TICKET_DESK_CALLS = {
  list: endpoint("GET", "/v2/operators/tickets", { query: TicketsQuery, output: TicketTable }),
  one: endpoint("GET", "/v2/operators/tickets/one", {
    query: ConsoleTicketQuery,
    output: ConsoleTicket,
    refusals: TICKET_DESK_REFUSALS,
  }),
  file: endpoint("GET", "/v2/operators/tickets/file", {
    query: ConsoleFileQuery,
    output: ConsoleFile,
    refusals: TICKET_DESK_REFUSALS,
  }),
  answer: endpoint("POST", "/v2/operators/tickets/answer", {
    body: AnswerBody,
    output: ConsoleTicket,
    refusals: TICKET_DESK_REFUSALS,
  }),
};
