// Notices as a slice sees them: a product registers its kinds and notifies; the channels are the user's choice,
// deduplication is the server's.

export const NOTICE_CHANNELS = ["live", "letter", "mail", "push"] as const;
/** live: the pages open now. letter: the inbox. mail: the account's address. push: the user's phones. */
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

export const NOTICE_GROUPS = ["account", "trading", "wallet", "products"] as const;
export type NoticeGroup = (typeof NOTICE_GROUPS)[number];

export interface NoticeKind {
  /** Such as `fills`. */
  readonly kind: string;
  readonly group: NoticeGroup;
  /** On unless the user changes it. */
  readonly defaults: readonly NoticeChannel[];
  /** On regardless of preferences: what concerns the safety of the account. */
  readonly always?: readonly NoticeChannel[];
  /** So frequent that nothing is stored where only open pages receive it. */
  readonly isFleeting?: boolean;
  /** Mails carry the link that freezes the account, and go by SMS to users without an address. */
  readonly isSecurity?: boolean;
}

export interface Notice {
  readonly kind: string;
  /** Identifies the event: a user is notified once per reference. */
  readonly reference: string;
  /** The event within its kind, such as `password-changed`; the kind by default. */
  readonly topic?: string;
  readonly title: string;
  readonly body: string;
  /** For mails that say less than letters, since others may read them. */
  readonly mailBody?: string;
  /** The page it is about. */
  readonly path?: string;
}

export interface Notices {
  register(kind: NoticeKind): void;
  /** False when the user was notified of this before, or has disabled all its channels. */
  notify(userId: number, notice: Notice, timeMs: number): Promise<boolean>;
}
