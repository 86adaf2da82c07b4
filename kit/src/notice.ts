// Telling a user something as a slice sees it: a product registers its kinds and tells; which ways it takes is the user's
// choice, and that it is told once the server's.

export const NOTICE_CHANNELS = ["live", "letter", "mail", "push"] as const;
/** live: the pages open now. letter: the inbox. mail: the account's address. push: the user's phones. */
export type NoticeChannel = (typeof NOTICE_CHANNELS)[number];

export const NOTICE_GROUPS = ["account", "trading", "wallet", "products"] as const;
export type NoticeGroup = (typeof NOTICE_GROUPS)[number];

export interface NoticeKind {
  /** Such as `fills`. */
  readonly kind: string;
  readonly group: NoticeGroup;
  /** On until the user says otherwise. */
  readonly defaults: readonly NoticeChannel[];
  /** On whatever the user says: what concerns the safety of the account. */
  readonly always?: readonly NoticeChannel[];
  /** So many of them that nothing is written down where open pages alone are told. */
  readonly isFleeting?: boolean;
  /** Mails carry the link that freezes the account, and go by SMS to whoever has no address. */
  readonly isSecurity?: boolean;
}

export interface Notice {
  readonly kind: string;
  /** Names what it is about: the same user is told of the same thing once. */
  readonly reference: string;
  /** What it is within its kind, such as `password-changed`; the kind where left out. */
  readonly topic?: string;
  readonly title: string;
  readonly body: string;
  /** Where mails say less than letters, since they are read by others too. */
  readonly mailBody?: string;
  /** The page it is about. */
  readonly path?: string;
}

export interface Notices {
  register(kind: NoticeKind): void;
  /** False when the user was told of this before, or wants to hear of it in no way. */
  notify(userId: number, notice: Notice, timeMs: number): Promise<boolean>;
}
