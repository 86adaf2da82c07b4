// The ports of the chat slice: the caller, the chat's address, a signature.

export interface Person {
  readonly nickname: string;
  readonly kycLevel: number;
  readonly isOperator: boolean;
}

export interface ChatNeeds {
  /** The channel of the exchange's own chat. */
  readonly ownChannel: string;
  /** Undefined without an outside chat: the own one is then open. */
  readonly chat: { readonly url: string; readonly appId: string } | undefined;
  findPerson(userId: number, timeMs: number): Promise<Person | undefined>;
  /** HMAC-SHA256 with the secret shared with the chat, in base64url. */
  sign(text: string): string;
}
