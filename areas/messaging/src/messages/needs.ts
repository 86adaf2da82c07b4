// The ports of sending messages.
import type { Sealing } from "@clockwork/host/vault";
import type { Kysely } from "kysely";

export interface Outgoing {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly id?: string;
  readonly unsubscribeUrl?: string;
  /** The page a push opens. */
  readonly path?: string;
}

export interface MessageSender {
  /** Rejects when the message could not be handed over; it is then retried. */
  send(message: Outgoing): Promise<void>;
}

export interface MessageNeeds extends Sealing {
  /** Absent: messages remain in the outbox of the demo run. */
  readonly mail?: MessageSender;
  readonly sms?: MessageSender;
  readonly push?: MessageSender;
  /** Pushes to browsers. */
  readonly webPush?: MessageSender;
  /** False in production: a message without a sender is then dropped and reported, never shown. */
  readonly keepsOutbox: boolean;
  /** The anti-phishing code of the address's user, if one is set. */
  antiPhishingOf(to: string, inside: Kysely<unknown> | undefined): Promise<string | undefined>;
  readonly clock: () => number;
  /** Called for messages that could not be sent, without their contents. */
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
