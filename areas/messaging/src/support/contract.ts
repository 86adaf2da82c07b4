// What the support forms and the operators' console say on the wire. The only file of the slice a browser may import.
import { type Static, Type } from "typebox";

export const TICKET_KINDS = ["complaint", "contact", "institutional", "whistleblower"] as const;
export type TicketKind = (typeof TICKET_KINDS)[number];

export const NAME_LENGTH_MAX = 100;
export const MESSAGE_LENGTH_MAX = 5_000;
export const ATTACHMENTS_MAX = 3;
export const ATTACHMENT_BYTES_MAX = 3 * 1024 * 1024;
/** With a picture, which is the whole body: whose ticket it belongs to, and its name, written as in an address. */
export const TICKET_HEADERS = { number: "x-ticket-number", key: "x-ticket-key", name: "x-file-name" } as const;

export const TicketBody = Type.Object(
  {
    kind: Type.Enum([...TICKET_KINDS]),
    topic: Type.Optional(Type.String({ maxLength: 40, pattern: "^[a-z][a-z-]*$" })),
    /** Both may be left out of a whistleblower's report alone. */
    name: Type.Optional(Type.String({ maxLength: NAME_LENGTH_MAX })),
    email: Type.Optional(Type.String({ maxLength: 254 })),
    message: Type.String({ minLength: 1, maxLength: MESSAGE_LENGTH_MAX }),
    /** People leave this field empty; they never see it. */
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
    Type.Object({ author: Type.Enum(["visitor", "staff"]), text: Type.String(), createdAtMs: Type.Integer() }),
  ),
});
export type Ticket = Static<typeof Ticket>;

export const TICKET_STATES = ["received", "in-progress", "answered", "closed"] as const;
export type TicketState = (typeof TICKET_STATES)[number];
/** What an answer of staff may leave a ticket as. */
export const ANSWER_STATES = ["in-progress", "answered", "closed"] as const;

export const TicketsQuery = Type.Object({
  state: Type.Optional(Type.Enum([...TICKET_STATES])),
  /** The `next` of the page before. */
  before: Type.Optional(Type.String({ pattern: "^[01]\\.[0-9]{1,16}\\.CW-[0-9A-Z]{4}-[0-9A-Z]{4}$", maxLength: 34 })),
});

const TicketRow = Type.Object({
  number: Type.String(),
  kind: Type.Enum([...TICKET_KINDS]),
  topic: Type.String(),
  state: Type.String(),
  /** Both empty where somebody stayed without a name. */
  name: Type.String(),
  email: Type.String(),
  /** The writer's VIP level when it was opened. */
  level: Type.Integer(),
  createdAtMs: Type.Integer(),
  updatedAtMs: Type.Integer(),
});

export const TicketTable = Type.Object({
  tickets: Type.Array(TicketRow),
  /** Where the next page begins; null at the end. */
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
/** A picture of a ticket in base64, as it was drawn anew. */
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
